import type { Backend } from '../outbound/address-targets.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { escapePath, forwardedUri } from '../proxy/escape-url.ts';
import { UnsendableHeaderError } from '../proxy/headers.ts';
import { requestBody } from '../proxy/request-body.ts';
import { passResponse } from '../proxy/response.ts';
import { isUpgrade } from '../proxy/upgrade.ts';
import type { RequestContext } from '../request/context.ts';
import { errors } from '../status/index.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import { untilFinished } from './until-finished.ts';
import { upgradeThrough } from './upgrade-through.ts';

const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Passes a request for the proxy of a node, pod or service on, and its response back.
 * @param path below the object, decoded; empty for the object itself
 * @throws ApiError for a server that cannot be reached
 */
export async function proxyToServer(context: RequestContext, backend: Backend, path: string): Promise<void> {
  const { exchange, info } = context;
  const query = queryOf(exchange.target);
  const pathAndQuery = `${escapePath(path)}${query}`;
  try {
    if (isUpgrade(exchange)) return await upgradeThrough(context, backend, pathAndQuery);
    if (path === '' && (exchange.method === 'GET' || exchange.method === 'HEAD')) {
      context.status = 301;
      exchange.setHeader('location', `${escapePath(info.path)}/${query}`);
      exchange.respond(301, undefined, '');
      return;
    }
    const headers = forwardedHeaders(exchange);
    headers['x-forwarded-uri'] = forwardedUri(escapePath(info.path));
    if (headers['content-length'] === '0' && !BODY_METHODS.has(exchange.method))
      delete headers['content-length'];
    const signal = untilFinished(exchange);
    const body = await requestBody(exchange);
    const response = await backend.target.open({
      method: exchange.method,
      path: pathAndQuery,
      headers,
      ...(body && { body }),
      signal,
    });
    const prefix = info.path.endsWith(path) ? info.path.slice(0, info.path.length - path.length) : info.path;
    await passResponse(context, response, {
      locationFor: (location) => throughProxy(location, prefix, [backend.host, exchange.host]),
    });
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof UnsendableHeaderError)) throw error;
    const text = error instanceof OutboundError ? error.text : error.message;
    throw errors.serviceUnavailable(`error trying to reach service: ${text}`);
  }
}

/** The query of a request as it was sent, with its question mark. */
function queryOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at);
}

/**
 * Where a redirect of a server leads through this proxy: an absolute path of the same server is below the object.
 * Relative paths and those of other servers stay as they are.
 */
export function throughProxy(location: string, prefix: string, hosts: readonly string[]): string {
  const absolute = /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)/i.exec(location);
  if (absolute !== null && !hosts.includes(absolute[1]!)) return location;
  const rest = absolute === null ? location : location.slice(absolute[0].length);
  if (!rest.startsWith('/') || rest.startsWith(prefix)) return rest === '' ? location : rest;
  return `${prefix.replace(/\/$/, '')}${rest}`;
}
