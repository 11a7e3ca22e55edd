import { DecodeError } from '../codec/decode-error.ts';
import { BodyAbortedError, sentTarget } from '../connection/exchange.ts';
import { sendError } from '../handlers/response/answer.ts';
import type { Logger } from '../observability/log.ts';
import { fromStorageError } from '../operations/store-errors.ts';
import type { Filter, RequestContext } from '../request/context.ts';
import { CorruptObjectError } from '../resources/corrupt-object.ts';
import { ApiError, errors } from '../status/index.ts';

/**
 * Converts every error thrown by inner filters to a Status. An error that is not an API error is an internal
 * error and is logged with its stack.
 */
export function errorFilter(logger: Logger): Filter {
  const reported = new ReportedObjects();
  const answer = async (context: RequestContext, error: unknown): Promise<void> => {
    const known = error instanceof BodyAbortedError ? errors.badRequest(error.message) : toApiError(error);
    const request = { method: context.exchange.method, uri: sentTarget(context.exchange) };
    if (known === undefined)
      logger.error('request failed', {
        ...request,
        err: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    else if (error instanceof CorruptObjectError && reported.isFirst(error))
      logger.error('stored object is corrupt', { ...request, key: error.key, err: error.message });
    if (error instanceof BodyAbortedError || context.exchange.closed) {
      context.exchange.abort();
      return;
    }
    await sendError(
      context,
      known ?? errors.internal('the server failed to process the request; its log says why'),
    );
  };
  return (context, next) => {
    try {
      const result = next(context);
      return result instanceof Promise ? result.catch((error: unknown) => answer(context, error)) : undefined;
    } catch (error) {
      return answer(context, error);
    }
  };
}

const MOST_REPORTED = 1000;

/** Corrupt objects that have been logged, so that repeated lists do not flood the log. */
class ReportedObjects {
  readonly #reported = new Set<string>();

  isFirst({ message }: CorruptObjectError): boolean {
    if (this.#reported.has(message)) return false;
    if (this.#reported.size >= MOST_REPORTED) this.#reported.clear();
    this.#reported.add(message);
    return true;
  }
}

/** The API error for a thrown value, or undefined for an internal error. */
export function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof CorruptObjectError) return errors.internal(error.message);
  if (error instanceof DecodeError) return errors.badRequest(error.message);
  if (isStackOverflow(error))
    return errors.requestEntityTooLarge('the object is nested too deeply to be processed in this form');
  return fromStorageError(error);
}

/** Data nested by thousands of levels, which parsers accept, can be too deep for a recursive function. */
const isStackOverflow = (error: unknown): boolean =>
  error instanceof RangeError && error.message === 'Maximum call stack size exceeded';
