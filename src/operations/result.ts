import { CacheRecord } from '../cache/record.ts';
import type { StoredResource } from '../registry/stored-resource.ts';

/** The record of a write just made: the cache's own, so that its views are shared, unless it has moved on. */
export function toResult(
  stored: StoredResource,
  key: string,
  revision: number,
  value: Uint8Array,
): CacheRecord {
  const cached = stored.cache.get(key);
  return cached?.revision === revision ? cached : new CacheRecord(key, revision, value, stored.reader);
}
