import type { RequestContext } from '../request/context.ts';
import type { RequestInfo } from '../request/request-info.ts';

/** The part of a request that decides which watches it concerns. */
type WatchedRequest = Pick<RequestContext, 'info' | 'query'>;

/** Field selectors by which watches are indexed, by resource: an event reaches only some of these watches. */
const INDEXED_FIELDS = new Map([['pods', 'spec.nodeName']]);

/**
 * Counts open watches by resource, namespace and name, to estimate what a write costs. Watches that select one
 * value of an indexed field do not count: few of them get an event.
 */
export class WatchCounts {
  readonly #counts = new Map<string, number>();

  /** Counts a watch until the returned function is called, which must be called once. */
  add({ info, query }: WatchedRequest): () => void {
    const field = INDEXED_FIELDS.get(info.resource);
    if (field !== undefined && selectsOne(query.get('fieldSelector'), field)) return () => {};
    const key = keyOf(info, info.namespace, info.name);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return () => {
      const left = this.#counts.get(key)! - 1;
      if (left === 0) this.#counts.delete(key);
      else this.#counts.set(key, left);
    };
  }

  /** The watches that a write may concern: of the resource, of its namespace and of its name. */
  concernedBy(info: RequestInfo): number {
    if (this.#counts.size === 0) return 0;
    let count = this.#count(info, '', '');
    if (info.namespace !== '') count += this.#count(info, info.namespace, '');
    if (info.name !== '') count += this.#count(info, info.namespace, info.name);
    return count;
  }

  #count(info: RequestInfo, namespace: string, name: string): number {
    return this.#counts.get(keyOf(info, namespace, name)) ?? 0;
  }
}

const keyOf = ({ group, resource }: RequestInfo, namespace: string, name: string): string =>
  `${group}/${resource}/${namespace}/${name}`;

/** Whether a field selector requires one value of a field, not the empty one. */
function selectsOne(selector: string, field: string): boolean {
  for (const term of selector.split(',')) {
    if (!term.startsWith(`${field}=`)) continue;
    const value = term.slice(field.length + (term[field.length + 1] === '=' ? 2 : 1));
    if (value !== '') return true;
  }
  return false;
}
