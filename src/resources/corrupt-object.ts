import { DecodeError } from '../codec/decode-error.ts';
import type { Steps } from '../steps/steps.ts';
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
    throw withKey(key, value, error);
  }
}

/** {@link wrapDecodeError} for a decoder that works in steps. */
export function* wrapDecodeSteps<T>(key: string, value: Uint8Array, steps: Steps<T>): Steps<T> {
  try {
    return yield* steps;
  } catch (error) {
    throw withKey(key, value, error);
  }
}

function withKey(key: string, value: Uint8Array, error: unknown): unknown {
  if (!(error instanceof DecodeError) && !(error instanceof RangeError)) return error;
  return isEncrypted(value)
    ? new UndecryptableObjectError(key, new Error(IDENTITY_REFUSAL))
    : new CorruptObjectError(key, error);
}
