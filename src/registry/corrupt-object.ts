import { DecodeError } from '../codec/decode-error.ts';

/** The stored bytes of an object cannot be read: named with its key, so that an operator can act. */
export class CorruptObjectError extends Error {
  override name = 'CorruptObjectError';
  constructor(
    readonly key: string,
    override readonly cause: unknown,
  ) {
    super(`data from the storage is not decodable as expected, key ${JSON.stringify(key)}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** Runs a decoding of stored bytes. @throws CorruptObjectError */
export function readingStored<T>(key: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof DecodeError || error instanceof RangeError) throw new CorruptObjectError(key, error);
    throw error;
  }
}
