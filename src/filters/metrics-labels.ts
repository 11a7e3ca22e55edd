import type { RequestContext } from '../request/context.ts';
import type { Query } from '../request/query.ts';
import type { RequestInfo } from '../request/request-info.ts';

const CONNECTED_SUBRESOURCES = new Set(['attach', 'exec', 'portforward', 'proxy']);
const KNOWN_METHODS = new Set(['DELETE', 'GET', 'PATCH', 'POST', 'PUT']);

/** The verb as metrics name it: the method, unless what it does has a name of its own. */
export function verbOf({ info, exchange }: RequestContext): string {
  const { method } = exchange;
  if (info.isResource) {
    if (CONNECTED_SUBRESOURCES.has(info.subresource) || info.verb === 'proxy') return 'CONNECT';
    if (info.verb === 'watch' || info.verb === 'list' || info.verb === 'deletecollection')
      return VERBS[info.verb];
    if (
      method === 'PATCH' &&
      exchange.header('content-type')?.startsWith('application/apply-patch+') === true
    )
      return 'APPLY';
  }
  if (method === 'HEAD') return 'GET';
  return KNOWN_METHODS.has(method) ? method : 'other';
}
const VERBS = { watch: 'WATCH', list: 'LIST', deletecollection: 'DELETECOLLECTION' } as const;

/** How much of the server a request concerns. */
export function scopeOf({ isResource, name, verb, namespace }: RequestInfo): string {
  if (!isResource) return '';
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}

/** `All`, or `invalid` for anything else that is not empty. */
export function dryRunOf(query: Query): string {
  if (!query.has('dryRun')) return '';
  const values = query.all('dryRun').filter((value) => value !== '');
  return values.length === 0 ? '' : values.every((value) => value === 'All') ? 'All' : 'invalid';
}

/** Health and metrics are not part of the API; their path stands in for a resource. */
export const componentOf = (
  { isResource, path }: RequestInfo,
  isKnownPath: (path: string) => boolean,
): string => (!isResource && isKnownPath(path) ? '' : 'apiserver');
