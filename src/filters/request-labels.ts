import type { RequestContext } from '../request/context.ts';
import type { Query } from '../request/query.ts';
import type { RequestInfo } from '../request/request-info.ts';

const CONNECTED_SUBRESOURCES = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);
const KNOWN_METHODS = new Set(['DELETE', 'GET', 'PATCH', 'POST', 'PUT']);

/** The verb label: the method, or the specific verb of the request. */
export function verbLabel({ info, exchange }: RequestContext): string {
  const { method } = exchange;
  if (info.isResource) {
    if (CONNECTED_SUBRESOURCES.has(info.subresource) || info.verb === 'proxy') return 'CONNECT';
    if (info.verb === 'watch' || info.verb === 'list') return VERBS[info.verb];
    if (
      method === 'PATCH' &&
      exchange.header('content-type')?.startsWith('application/apply-patch+') === true
    )
      return 'APPLY';
  }
  if (method === 'HEAD') return 'GET';
  return KNOWN_METHODS.has(method) ? method : 'other';
}
const VERBS = { watch: 'WATCH', list: 'LIST' } as const;

/** The scope label of a request. */
export function scopeLabel({ isResource, name, verb, namespace }: RequestInfo): string {
  if (!isResource) return '';
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}

/** `All`, or `invalid` for any other non-empty value. */
export function dryRunLabel(query: Query): string {
  if (!query.has('dryRun')) return '';
  const values = query.all('dryRun').filter((value) => value !== '');
  return values.length === 0 ? '' : values.every((value) => value === 'All') ? 'All' : 'invalid';
}

/**
 * The labels `subresource` and `component` of a request for a path without resource. Health checks and metrics
 * have their path, the documents of the API a constant, others nothing.
 */
export function pathLabels(
  path: string,
  isKnownPath: (path: string) => boolean,
): readonly [subresource: string, component: string] {
  if (isKnownPath(path)) return [path, ''];
  if (path === '/openapi/v3') return ['openapi/v3', ''];
  if (path.startsWith('/openapi/v3/')) return ['openapi/v3/', ''];
  return [path === '/api' || path === '/apis' ? path.slice(1) : '', API_SERVER];
}

/** The component of requests for resources. */
export const API_SERVER = 'apiserver';
