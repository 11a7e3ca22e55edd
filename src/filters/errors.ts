import { DecodeError } from '../codec/decode-error.ts';
import { BodyAbortedError } from '../connection/exchange.ts';
import { sendError } from '../handlers/response/answer.ts';
import type { Logger } from '../observability/log.ts';
import { fromStorageError } from '../operations/store-errors.ts';
import { CorruptObjectError } from '../registry/corrupt-object.ts';
import type { Filter, RequestContext } from '../request/context.ts';
import { ApiError, errors } from '../status/index.ts';

/**
 * Everything thrown below is answered as a Status; what is no error of the API's is a fault of the server,
 * logged with its stack.
 */
export function errorFilter(logger: Logger): Filter {
  const damage = new ReportedDamage();
  const answer = async (context: RequestContext, error: unknown): Promise<void> => {
    const known = error instanceof BodyAbortedError ? errors.badRequest(error.message) : toApiError(error);
    const request = { method: context.exchange.method, uri: context.exchange.target };
    if (known === undefined)
      logger.error('request failed', {
        ...request,
        err: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    else if (error instanceof CorruptObjectError && damage.isNews(error))
      logger.error('a stored object is damaged', { ...request, key: error.key, err: error.message });
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

/** Damage that is in the log already: who lists a damaged object again and again must not fill it. */
class ReportedDamage {
  readonly #reported = new Set<string>();

  isNews({ message }: CorruptObjectError): boolean {
    if (this.#reported.has(message)) return false;
    if (this.#reported.size >= MOST_REPORTED) this.#reported.clear();
    this.#reported.add(message);
    return true;
  }
}

/** The API error for anything thrown, or undefined for a fault. */
export function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof CorruptObjectError) return errors.internal(error.message);
  if (error instanceof DecodeError) return errors.badRequest(error.message);
  return fromStorageError(error);
}
