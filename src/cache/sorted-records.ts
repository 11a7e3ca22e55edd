import { compareKeys, createSortedMap } from '../storage/sorted-map.ts';
import type { CacheRecord } from './record.ts';
import type { Tree } from './snapshot.ts';

/**
 * Records by key, and in the order of keys. The order is made when it is first needed: a cluster that was forked and is
 * asked for single objects never needs it.
 */
export class SortedRecords {
  readonly byKey = new Map<string, CacheRecord>();
  #tree: Tree | undefined;

  /** Replaces all records. */
  reset(records: Iterable<CacheRecord>): void {
    this.byKey.clear();
    this.#tree = undefined;
    for (const record of records) this.byKey.set(record.key, record);
  }

  set(key: string, record: CacheRecord): void {
    this.byKey.set(key, record);
    this.#tree?.set(key, record);
  }

  delete(key: string): void {
    this.byKey.delete(key);
    this.#tree?.delete(key);
  }

  /** The records in the order of their keys; changes with them unless it is cloned. */
  get tree(): Tree {
    if (this.#tree === undefined) {
      this.#tree = createSortedMap<CacheRecord>();
      this.#tree.setPairs([...this.byKey].sort(([left], [right]) => compareKeys(left, right)));
    }
    return this.#tree;
  }
}
