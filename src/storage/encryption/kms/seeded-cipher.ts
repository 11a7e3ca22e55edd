import { createHmac, randomBytes } from 'node:crypto';
import { aesGcm, TOO_SHORT } from '../aes.ts';
import type { ValueTransformer } from '../transformer.ts';

const INFO = 32;
/** Least bytes of a seed. */
export const SEED_BYTES = 32;

/**
 * AES-GCM with a key of its own for each value: HKDF-SHA256 expands the seed with 32 random bytes, which
 * precede the encrypted value. @throws Error for a seed that is too short
 */
export function seededCipher(seed: Uint8Array): ValueTransformer {
  if (seed.length < SEED_BYTES) throw new Error(`invalid seed length ${seed.length} used for key generation`);
  return {
    encrypt(value, key) {
      const info = randomBytes(INFO);
      return Buffer.concat([info, aesGcm(expand(seed, info)).encrypt(value, key)]);
    },
    decrypt(data, key) {
      if (data.length < INFO) throw new Error(TOO_SHORT);
      return aesGcm(expand(seed, data.subarray(0, INFO))).decrypt(data.subarray(INFO), key);
    },
  };
}

/** The first block of HKDF's expansion (RFC 5869) is as long as the key. */
const expand = (seed: Uint8Array, info: Uint8Array): Buffer =>
  createHmac('sha256', seed)
    .update(info)
    .update(Buffer.from([1]))
    .digest();
