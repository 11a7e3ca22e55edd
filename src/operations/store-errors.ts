import { DecodeError } from '../codec/decode-error.ts';
import { type ApiError, errors } from '../status/index.ts';
import { FutureRevisionError, KeyTooLongError, OutcomeUnknownError, OutOfSpaceError, StorageUnavailableError } from '../storage/storage.ts';

/** What a client is told when the store refuses; undefined for anything that is no refusal of the store. */
export function storeError(error: unknown): ApiError | undefined {
  if (error instanceof OutOfSpaceError) return errors.insufficientStorage(error.message);
  if (error instanceof StorageUnavailableError) return errors.serviceUnavailable(error.message);
  if (error instanceof OutcomeUnknownError) return errors.outcomeUnknown(error.message);
  if (error instanceof KeyTooLongError) return errors.badRequest(error.message);
  if (error instanceof FutureRevisionError) return errors.badRequest(`required revision is a future revision: ${error.requestedRevision} is newer than ${error.currentRevision}`);
  return undefined;
}

/** The stored bytes of an object cannot be read: named with its key, so that an operator can act. */
export class CorruptObjectError extends Error {
  override name = 'CorruptObjectError';
  constructor(readonly key: string, override readonly cause: unknown) {
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
