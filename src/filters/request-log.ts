import { sentTarget } from '../connection/exchange.ts';
import type { Logger } from '../observability/log.ts';
import { type Filter, whenEnded } from '../request/context.ts';
import { processClock } from '../time/clock.ts';

/** The log level of requests. */
const LEVEL = 3;

/** Logs one line per request when it ends, long-running ones included. Has no cost below `-v=3`. */
export function requestLogFilter(logger: Logger, now: () => number = processClock.monotonic): Filter {
  const log = logger.child('httplog');
  return (context, next) => {
    if (log.verbosity < LEVEL) return next(context);
    return whenEnded(next, context, () => {
      const { exchange, info, user, status, arrived, flow } = context;
      log.detail(LEVEL, 'HTTP', {
        verb: info.isResource ? info.verb.toUpperCase() : exchange.method,
        URI: sentTarget(exchange),
        latency: `${(now() - arrived).toFixed(3)}ms`,
        userAgent: exchange.header('user-agent') ?? '',
        user: user.name,
        srcIP: exchange.remoteAddress,
        ...(flow === undefined ? {} : { apf_pl: flow.level.name, apf_fs: flow.schema.name }),
        resp: status,
        // The client disconnected before the response.
        ...(exchange.responded ? {} : { aborted: true }),
      });
    });
  };
}
