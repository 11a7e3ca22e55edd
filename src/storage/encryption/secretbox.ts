import { randomBytes } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { TOO_SHORT } from './aes.ts';
import type { Decrypted, ValueTransformer } from './transformer.ts';

const NONCE = 24;
const TAG = 16;

/** NaCl's secretbox (XSalsa20 and Poly1305): a random nonce of 24 bytes, the sealed value. */
export function secretbox(secret: Uint8Array): ValueTransformer {
  return {
    encrypt(value) {
      const nonce = randomBytes(NONCE);
      return Buffer.concat([nonce, xsalsa20poly1305(secret, nonce).encrypt(value)]);
    },
    decrypt(data): Decrypted {
      if (data.length < NONCE + TAG) throw new Error(TOO_SHORT);
      const box = xsalsa20poly1305(secret, data.subarray(0, NONCE));
      try {
        return { value: box.decrypt(data.subarray(NONCE)), stale: false };
      } catch {
        throw new Error('output array was not large enough for encryption');
      }
    },
  };
}
