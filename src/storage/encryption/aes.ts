import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Decrypted, ValueTransformer } from './transformer.ts';

const BLOCK = 16;
const NONCE = 12;
const TAG = 16;

export const TOO_SHORT = 'the stored data was shorter than the required size';

/** AES-GCM: a random nonce of 12 bytes, the encrypted value, a tag of 16 bytes. Bound to the key. */
export function aesGcm(secret: Uint8Array): ValueTransformer {
  const algorithm = `aes-${(secret.length * 8) as 128 | 192 | 256}-gcm` as const;
  return {
    encrypt(value, key) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv(algorithm, secret, nonce);
      cipher.setAAD(Buffer.from(key, 'latin1'));
      return Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()]);
    },
    decrypt(data, key): Decrypted {
      if (data.length < NONCE) throw new Error(TOO_SHORT);
      if (data.length < NONCE + TAG) throw new Error('cipher: message authentication failed');
      const decipher = createDecipheriv(algorithm, secret, data.subarray(0, NONCE), { authTagLength: TAG });
      decipher.setAAD(Buffer.from(key, 'latin1'));
      decipher.setAuthTag(data.subarray(data.length - TAG));
      const value = decipher.update(data.subarray(NONCE, data.length - TAG));
      try {
        decipher.final();
      } catch {
        throw new Error('cipher: message authentication failed');
      }
      return { value: plain(value), stale: false };
    },
  };
}

/** AES-CBC with PKCS #7 padding: a random vector of 16 bytes, the encrypted value. Not authenticated. */
export function aesCbc(secret: Uint8Array): ValueTransformer {
  const algorithm = `aes-${secret.length * 8}-cbc`;
  return {
    encrypt(value) {
      const vector = randomBytes(BLOCK);
      const cipher = createCipheriv(algorithm, secret, vector);
      return Buffer.concat([vector, cipher.update(value), cipher.final()]);
    },
    decrypt(data): Decrypted {
      if (data.length < BLOCK) throw new Error(TOO_SHORT);
      if (data.length % BLOCK !== 0) throw new Error('the stored data is not a multiple of the block size');
      const decipher = createDecipheriv(algorithm, secret, data.subarray(0, BLOCK));
      decipher.setAutoPadding(false);
      const padded = decipher.update(data.subarray(BLOCK));
      return { value: withoutPadding(padded), stale: false };
    },
  };
}

/** The same bytes, without the methods of a Buffer. */
const plain = ({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

function withoutPadding(padded: Uint8Array): Uint8Array {
  const size = padded.at(-1) ?? 0;
  if (size === 0 || size > padded.length) throw new Error('invalid PKCS7 data (empty or not padded)');
  const end = padded.length - size;
  for (let index = end; index < padded.length; index += 1)
    if (padded[index] !== size) throw new Error('invalid padding on input');
  return plain(padded.subarray(0, end));
}
