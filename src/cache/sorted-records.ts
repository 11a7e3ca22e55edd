import { compareKeys, createSortedMap } from '../storage/sorted-map.ts';
import type { CacheRecord } from './record.ts';
import type { Tree } from './snapshot.ts';

/** With more records their order is made at once: a request that needs it must not wait for the sort. */
const MOST_UNSORTED = 8192;

/**
 * Records by key, and in the order of keys. The order of few records is made when it is first needed: a cluster that was
 * forked and is asked for single objects never needs it.
 */
export class SortedRecords {
  readonly byKey = new Map<string, CacheRecord>();
  #tree: Tree | undefined;

  /** Replaces all records. */
  reset(records: Iterable<CacheRecord>): void {
    this.byKey.clear();
    this.#tree = undefined;
    for (const record of records) this.byKey.set(record.key, record);
    this.#sortMany();
  }

  set(key: string, record: CacheRecord): void {
    this.byKey.set(key, record);
    this.#tree?.set(key, record);
    this.#sortMany();
  }

  delete(key: string): void {
    this.byKey.delete(key);
    this.#tree?.delete(key);
  }

  #sortMany(): void {
    if (this.#tree === undefined && this.byKey.size > MOST_UNSORTED) this.#tree = this.#sorted();
  }

  #sorted(): Tree {
    const tree = createSortedMap<CacheRecord>();
    tree.setPairs([...this.byKey].sort(([left], [right]) => compareKeys(left, right)));
    return tree;
  }

  /** The records in the order of their keys; changes with them unless it is cloned. */
  get tree(): Tree {
    this.#tree ??= this.#sorted();
    return this.#tree;
  }
}
