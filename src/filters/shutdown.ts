import type { Filter, RequestContext } from '../request/context.ts';
import { respondText } from '../request/respond-text.ts';

const MESSAGE = 'The apiserver is shutting down, please try again later.';
const EXEMPT = ['/readyz', '/livez', '/healthz', '/metrics'];

/**
 * Rejects new requests while the server drains, so that clients turn to another server. Those of servers and
 * of health checks are served.
 * @param rejects whether the server rejects requests now
 */
export function shutdownFilter(rejects: () => boolean): Filter {
  return (context, next) => {
    if (!rejects() || isExempt(context)) return next(context);
    const { exchange } = context;
    exchange.setHeader('retry-after', '5');
    if (exchange.protocol === 'HTTP/1.1') exchange.setHeader('connection', 'close');
    respondText(context, 429, MESSAGE);
  };
}

const isExempt = ({ exchange, info }: RequestContext): boolean =>
  exchange.protocol === 'in-process' ||
  exchange.header('user-agent')?.startsWith('kube-apiserver/') === true ||
  EXEMPT.some((path) => info.path.startsWith(path));
