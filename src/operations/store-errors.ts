import { type ApiError, errors } from '../status/index.ts';
import { EncryptionError } from '../storage/encryption/errors.ts';
import {
  FutureRevisionError,
  KeyTooLongError,
  OutcomeUnknownError,
  OutOfSpaceError,
  StorageUnavailableError,
  ValueTooLargeError,
} from '../storage/storage.ts';

/** Whether the store certainly did not write, and will not. */
export function isRefusedWrite(error: unknown): boolean {
  return (
    error instanceof OutOfSpaceError ||
    error instanceof StorageUnavailableError ||
    error instanceof EncryptionError ||
    error instanceof KeyTooLongError ||
    error instanceof ValueTooLargeError
  );
}

/** Converts an error of the store to an API error; undefined for any other error. */
export function fromStorageError(error: unknown): ApiError | undefined {
  if (error instanceof OutOfSpaceError) return errors.insufficientStorage(error.message);
  if (error instanceof StorageUnavailableError) return errors.serviceUnavailable(error.message);
  if (error instanceof EncryptionError) return errors.internal(error.message);
  if (error instanceof OutcomeUnknownError)
    return error.timedOut ? errors.requestTimeout(error.message) : errors.outcomeUnknown(error.message);
  if (error instanceof ValueTooLargeError) return errors.requestEntityTooLarge(error.message);
  if (error instanceof KeyTooLongError) return errors.badRequest(error.message);
  if (error instanceof FutureRevisionError)
    return errors.badRequest(
      `required revision is a future revision: ${error.requestedRevision} is newer than ${error.currentRevision}`,
    );
  return undefined;
}
