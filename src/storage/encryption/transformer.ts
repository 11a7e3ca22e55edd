import type { MaybePromise } from '../storage.ts';

/** A decrypted value. */
export interface Decrypted {
  readonly value: Uint8Array;
  /** The value was encrypted otherwise than it would be now: it is to be written again. */
  readonly stale: boolean;
}

/** Converts values from and to the form in which they are stored. */
export interface ValueTransformer {
  /**
   * @param key authenticated data: the full key of the value, which it is bound to
   * @throws EncryptionError when the value cannot be encrypted now
   */
  encrypt(value: Uint8Array, key: string): Uint8Array;
  /**
   * @throws Error when the data are not a value encrypted for this key; EncryptionError when a key cannot be
   * obtained now
   */
  decrypt(data: Uint8Array, key: string): MaybePromise<Decrypted>;
}

/** All values encrypted by kube-apiserver begin with this. */
const ENCRYPTED = Buffer.from('k8s:enc:');

/** Whether stored bytes are encrypted. */
export function isEncrypted(data: Uint8Array): boolean {
  // JSON begins with `{`, protobuf with `k8s\0`.
  return data[3] === 0x3a && startsWith(data, ENCRYPTED);
}

export function startsWith(data: Uint8Array, prefix: Uint8Array): boolean {
  if (data.length < prefix.length) return false;
  for (let index = 0; index < prefix.length; index += 1) if (data[index] !== prefix[index]) return false;
  return true;
}

export const IDENTITY_REFUSAL = 'identity transformer tried to read encrypted data';

/** Stores values as they are, and refuses to read encrypted ones. */
export const identity: ValueTransformer = {
  encrypt: (value) => value,
  decrypt(data) {
    if (isEncrypted(data)) throw new Error(IDENTITY_REFUSAL);
    return { value: data, stale: false };
  },
};
