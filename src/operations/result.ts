import { CacheRecord } from '../cache/record.ts';
import type { StoredResource } from '../resources/stored-resource.ts';

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
  return cached?.revision === revision ? cached : toDryResult(stored, key, revision, value);
}

/**
 * Returns the record of a write that is not made: it shows what a read of these bytes would, with the defaults of
 * the storage version.
 */
export const toDryResult = (
  { reader }: StoredResource,
  key: string,
  revision: number,
  value: Uint8Array,
): CacheRecord => CacheRecord.of({ key, revision, value, corruption: undefined }, reader);
