import { type ApiError, errors } from '../status/index.ts';
import { FutureRevisionError, KeyTooLongError, OutcomeUnknownError, OutOfSpaceError, StorageUnavailableError } from '../storage/storage.ts';

/** What a client is told when the store refuses; undefined for anything that is no refusal of the store. */
export function storeError(error: unknown): ApiError | undefined {
  if (error instanceof OutOfSpaceError) return errors.insufficientStorage(error.message);
  if (error instanceof StorageUnavailableError) return errors.serviceUnavailable(error.message);
  if (error instanceof OutcomeUnknownError) return errors.outcomeUnknown(error.message);
  if (error instanceof KeyTooLongError) return errors.badRequest(error.message);
  if (error instanceof FutureRevisionError)
    return errors.badRequest(`required revision is a future revision: ${error.requestedRevision} is newer than ${error.currentRevision}`);
  return undefined;
}
