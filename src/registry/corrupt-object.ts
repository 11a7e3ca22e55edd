import { DecodeError } from '../codec/decode-error.ts';
import { CorruptObjectError } from '../storage/corrupt-object.ts';
import { UndecryptableObjectError } from '../storage/encryption/errors.ts';
import { IDENTITY_REFUSAL, isEncrypted } from '../storage/encryption/transformer.ts';

export { CorruptObjectError };

/**
 * Runs a decoder of stored bytes.
 * @throws CorruptObjectError when the bytes cannot be decoded; UndecryptableObjectError when they are encrypted
 */
export function wrapDecodeError<T>(key: string, value: Uint8Array, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DecodeError) && !(error instanceof RangeError)) throw error;
    throw isEncrypted(value)
      ? new UndecryptableObjectError(key, new Error(IDENTITY_REFUSAL))
      : new CorruptObjectError(key, error);
  }
}
