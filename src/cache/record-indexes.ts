import { BoundedMap } from '../collections/bounded-map.ts';
import type { CacheEvent, CacheRecord } from './record.ts';
import { RecordIndex } from './record-index.ts';
import type { RecordQuery } from './record-query.ts';

/** Records below which a scan is as fast. */
const FEWEST_RECORDS = 256;
/** Queries of one name, from which on it has an index. */
const QUERIES_BEFORE_INDEX = 3;
/** Indexes of one cache: each costs a read of every changed record. The one used least recently goes. */
const MOST_INDEXES = 4;
/** Names whose queries are counted. */
const MOST_NAMES = 64;

/** The indexes of a cache: made for what is asked repeatedly, and followed from then on. */
export class RecordIndexes {
  readonly #indexes = new BoundedMap<string, RecordIndex>(MOST_INDEXES);
  readonly #asked = new BoundedMap<string, number>(MOST_NAMES);

  /** @param records those of the cache, by key */
  constructor(private readonly records: ReadonlyMap<string, CacheRecord>) {}

  /**
   * Finds records by the first query that an index answers.
   * @returns in key order, all that fulfil that query; undefined if only a scan finds them
   */
  find(queries: readonly RecordQuery[]): readonly CacheRecord[] | undefined {
    if (this.records.size < FEWEST_RECORDS) return undefined;
    for (const query of queries) {
      const index = this.#indexes.get(query.name);
      const found = index?.find(query.value);
      if (index === undefined || found === undefined) continue;
      this.#indexes.set(query.name, index);
      return found;
    }
    for (const query of queries) this.#ask(query);
    return undefined;
  }

  /** Resolves when an index is filled that may answer one of the queries; undefined if none is being filled. */
  filling(queries: readonly RecordQuery[]): Promise<void> | undefined {
    for (const { name } of queries) {
      const filled = this.#indexes.get(name)?.filled;
      if (filled !== undefined) return filled;
    }
    return undefined;
  }

  /** Follows a change of the cache. */
  apply(event: CacheEvent): void {
    for (const index of this.#indexes.values()) index.apply(event);
  }

  /** Drops all indexes, when the records are read from the store again. */
  clear(): void {
    this.#indexes.clear();
  }

  #ask({ name, read }: RecordQuery): void {
    if (this.#indexes.get(name) !== undefined) return;
    const asked = (this.#asked.get(name) ?? 0) + 1;
    this.#asked.set(name, asked);
    if (asked < QUERIES_BEFORE_INDEX) return;
    this.#asked.delete(name);
    const index = new RecordIndex(read);
    this.#indexes.set(name, index);
    index.fill(this.records.values());
  }
}
