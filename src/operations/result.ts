import { CacheRecord } from '../cache/record.ts';
import type { StoredResource } from '../registry/stored-resource.ts';

/**
 * Returns the record of a completed write: the one in the cache, to share its encodings, unless that is
 * newer.
 */
export function toResult(
  stored: StoredResource,
  key: string,
  revision: number,
  value: Uint8Array,
): CacheRecord {
  const cached = stored.cache.get(key);
  return cached?.revision === revision
    ? cached
    : CacheRecord.of({ key, revision, value, corruption: undefined }, stored.reader);
}
