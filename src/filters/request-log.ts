import type { Logger } from '../observability/log.ts';
import { type Filter, whenSettled } from '../request/context.ts';

/** The verbosity from which every request is logged. */
const LEVEL = 3;

/** One line a request when it ends, long-running ones included. Without `-v=3` it costs nothing. */
export function requestLogFilter(logger: Logger, now: () => number = () => performance.now()): Filter {
  if (logger.verbosity < LEVEL) return (context, next) => next(context);
  const log = logger.child('httplog');
  return (context, next) =>
    whenSettled(next(context), () => {
      const { exchange, info, user, status, arrived } = context;
      log.detail(LEVEL, 'HTTP', {
        verb: info.isResource ? info.verb.toUpperCase() : exchange.method,
        URI: exchange.target,
        latency: `${(now() - arrived).toFixed(3)}ms`,
        userAgent: exchange.header('user-agent') ?? '',
        user: user.name,
        srcIP: exchange.remoteAddress,
        resp: status,
        // Nothing was answered: the client went away first.
        ...(exchange.responded ? {} : { aborted: true }),
      });
    });
}
