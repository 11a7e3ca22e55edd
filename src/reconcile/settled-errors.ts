import { ApiError } from '../status/index.ts';

/** Ignores errors that need no retry: already exists, not found, namespace terminating. */
export async function ignoreSettledErrors(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (
      !(
        error instanceof ApiError &&
        (error.reason === 'AlreadyExists' || error.code === 404 || isNamespaceTerminating(error))
      )
    )
      throw error;
  }
}

/** Whether an object could not be created because its namespace is being deleted. */
/** Whether an object could not be created because its namespace is being deleted. */
export const isNamespaceTerminating = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false);
