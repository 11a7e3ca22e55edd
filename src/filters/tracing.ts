import { sentTarget } from '../connection/exchange.ts';
import type { Logger } from '../observability/log.ts';
import { describeSpan, type Span, type SpanAttributes } from '../observability/span.ts';
import { type Filter, type RequestContext, whenEnded } from '../request/context.ts';
import type { RequestInfo } from '../request/request-info.ts';

/** Requests whose handler takes longer are logged, in milliseconds. */
const SLOW_MILLISECONDS = 500;
/** Verbosity at which slow requests are logged, and at which their short steps are listed too (k8s.io/utils/trace). */
const SLOW_VERBOSITY = 2;
const ALL_STEPS_VERBOSITY = 4;

/** Begins and ends the root spans of requests. */
export interface RequestTracer {
  /** @returns undefined if the request is not sampled */
  begin(name: string, parent: string | undefined, attributes: () => SpanAttributes): Span | undefined;
  finish(root: Span): void;
}

/**
 * Begins the trace of a request and exports it when the request has ended; with `--v=2` logs where the time of a
 * slow request went.
 * @param tracer undefined without `--tracing-config-file`
 * @param advertised host and port of this server
 */
export function tracingFilter(
  tracer: RequestTracer | undefined,
  logger: Logger,
  advertised: { readonly host: string; readonly port: number },
  random: () => number = Math.random,
): Filter {
  const log = logger.child('trace');
  const finish = (context: RequestContext, root: Span | undefined): void => {
    const handler = context.span;
    if (handler !== undefined && handler !== root) {
      handler.finish();
      if (handler.end - handler.start >= SLOW_MILLISECONDS && log.verbosity >= SLOW_VERBOSITY)
        log.detail(
          SLOW_VERBOSITY,
          describeSpan(
            handler,
            log.verbosity >= ALL_STEPS_VERBOSITY ? 0 : SLOW_MILLISECONDS,
            performance.timeOrigin,
            Math.floor(random() * 2 ** 31),
          ),
        );
    }
    if (root !== undefined) tracer!.finish(root);
  };
  return (context, next) => {
    const { exchange, info } = context;
    const root = tracer?.begin(spanName(exchange.method, info), exchange.header('traceparent'), () =>
      rootAttributes(context, advertised),
    );
    context.span = root;
    return whenEnded(next, context, () => finish(context, root));
  };
}

/** The name of the root span: names in the path are replaced, so that names are few. */
function spanName(method: string, info: RequestInfo): string {
  if (!info.isResource) return method;
  const { apiPrefix, group, version, namespace, resource, name, subresource } = info;
  const path = [
    apiPrefix,
    group,
    version,
    namespace && 'namespaces/{:namespace}',
    resource,
    name && '{:name}',
    subresource,
  ].filter((part) => part !== '');
  return `${method} /${path.join('/')}`;
}

const PROTOCOLS: Readonly<Record<string, string>> = { 'HTTP/1.1': '1.1', 'HTTP/2.0': '2.0' };

/** The attributes of OpenTelemetry's conventions for HTTP servers, version 1.17. */
function rootAttributes(
  { exchange, status }: RequestContext,
  advertised: { readonly host: string; readonly port: number },
): SpanAttributes {
  const declared = Number(exchange.header('content-length') ?? 0);
  const agent = exchange.header('user-agent');
  const name = `https://${exchange.host}`;
  const host = URL.canParse(name) ? new URL(name) : undefined;
  return {
    'http.method': exchange.method,
    'http.scheme': 'https',
    'http.target': sentTarget(exchange),
    'net.host.name': host?.hostname ?? advertised.host,
    'net.host.port': Number(host?.port || advertised.port),
    'net.protocol.version': PROTOCOLS[exchange.protocol] ?? '1.1',
    'net.sock.peer.addr': exchange.remoteAddress,
    'net.sock.peer.port': exchange.remotePort,
    ...(agent === undefined ? {} : { 'user_agent.original': agent }),
    ...(declared > 0 ? { 'http.request_content_length': declared } : {}),
    ...(exchange.sentBytes > 0 ? { 'http.response_content_length': exchange.sentBytes } : {}),
    ...(status === 0 ? {} : { 'http.status_code': status }),
  };
}
