import { inRequestSpan } from '../../observability/span.ts';
import type { Backend } from '../../outbound/address-targets.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import type { ServiceResolver } from '../../outbound/service-resolver.ts';
import { encodeQuery, escapePath, forwardedUri } from '../../proxy/escape-url.ts';
import { passedHeaders, UnsendableHeaderError } from '../../proxy/headers.ts';
import type { ProxiedRequest } from '../../proxy/proxied-request.ts';
import { requestBody } from '../../proxy/request-body.ts';
import { passResponse } from '../../proxy/response.ts';
import { isUpgrade, passUpgrade } from '../../proxy/upgrade.ts';
import type { RequestContext } from '../../request/context.ts';
import { respondText } from '../../request/respond-text.ts';
import type { UserInfo } from '../../request/user.ts';
import { identityHeaders } from './identity-headers.ts';
import type { Route } from './routing-table.ts';

/** Begins the failure of a CA bundle without certificates. */
const UNUSABLE_BUNDLE = 'unable to load root certificates';
const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH']);

/** The user whom the extension server is told. */
type Identity = Omit<UserInfo, 'uid'> & { readonly uid?: string };

export interface ProxyOptions {
  readonly resolve: ServiceResolver;
  /** Whether redirects of extension servers are answered with 502 (`--aggregator-reject-forwarding-redirect`). */
  readonly rejectsRedirects: boolean;
  /** Whether extension servers are told the uid of users (gate RemoteRequestHeaderUID). */
  readonly sendsUid: boolean;
}

/** Creates the handler that passes requests on to extension servers. */
export function createProxy({ resolve, rejectsRedirects, sendsUid }: ProxyOptions) {
  const identityOf = ({ name, uid, groups, extra }: UserInfo): Identity => ({
    name,
    groups,
    extra,
    ...(sendsUid && { uid }),
  });
  return async (
    context: RequestContext,
    route: Route,
    user: Identity = identityOf(context.user),
  ): Promise<void> => {
    if (!route.available) return respondText(context, 503, 'service unavailable');
    // The server that handles it counts the work of a watch.
    context.watchInitialized?.();
    const { namespace, name, port } = route.service;
    let backend: Backend;
    try {
      backend = route.backends.at(await resolve(namespace, name, port));
    } catch {
      return respondText(context, 503, 'service unavailable');
    }
    // Ends the request to the extension server when the client has disconnected.
    const stop = new AbortController();
    let ended = false;
    context.exchange.onFinished(() => {
      if (!ended) stop.abort();
    });
    try {
      const request = proxiedRequest(context, user, backend, stop.signal);
      if (isUpgrade(context.exchange)) {
        const problem = await passUpgrade(context, await backend.target.open(request));
        return problem === undefined ? undefined : respondText(context, 503, problem);
      }
      const body = await requestBody(context.exchange);
      const response = await inRequestSpan(
        context.span,
        request.method,
        () => backend.target.urlOf(request.path),
        (trace) =>
          backend.target.open({
            ...request,
            headers: { ...request.headers, ...trace },
            ...(body && { body }),
          }),
      );
      await passResponse(context, response, { rejectsRedirects });
    } catch (error) {
      if (!(error instanceof OutboundError || error instanceof UnsendableHeaderError)) throw error;
      const text = error instanceof OutboundError ? error.text : error.message;
      if (text.startsWith(UNUSABLE_BUNDLE)) respondText(context, 500, text);
      // The connection of an upgrade is opened in another way, which names no service.
      else if (isUpgrade(context.exchange)) respondText(context, 503, text);
      else respondText(context, 503, `error trying to reach service: ${text}`);
    } finally {
      ended = true;
    }
  };
}

function proxiedRequest(
  context: RequestContext,
  user: Identity,
  { host }: Backend,
  signal: AbortSignal,
): ProxiedRequest {
  const { exchange, info, query, auditId } = context;
  const path = escapePath(info.path);
  const forwardedFor = [...exchange.headerValues('x-forwarded-for'), exchange.remoteAddress];
  const upgrade = isUpgrade(exchange);
  const passed = passedHeaders(exchange.headers());
  // Only these methods announce that they have no body.
  if (passed['content-length'] === '0' && !BODY_METHODS.has(exchange.method)) delete passed['content-length'];
  return {
    method: exchange.method,
    path: query.empty ? path : `${path}?${encodeQuery(query)}`,
    headers: {
      ...passed,
      ...identityHeaders(user),
      host,
      'x-forwarded-for': forwardedFor.filter((address) => address !== '').join(', '),
      // A connection that is taken over is not described by these headers in kube-apiserver.
      ...(upgrade
        ? { connection: 'Upgrade', upgrade: exchange.header('upgrade') ?? '' }
        : { 'x-forwarded-host': host, 'x-forwarded-proto': 'https', 'x-forwarded-uri': forwardedUri(path) }),
      ...(auditId === '' ? {} : { 'audit-id': auditId }),
    },
    signal,
  };
}
