import { DecodeError } from '../codec/decode-error.ts';
import { CorruptObjectError } from '../storage/corrupt-object.ts';

export { CorruptObjectError };

/** Runs a decoder of stored bytes. @throws CorruptObjectError when the bytes cannot be decoded */
export function wrapDecodeError<T>(key: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof DecodeError || error instanceof RangeError) throw new CorruptObjectError(key, error);
    throw error;
  }
}
