import { BoundedMap } from '../collections/bounded-map.ts';
import type { MaybePromise, Storage } from '../storage/storage.ts';
import { CacheRecord, type RecordReader } from './record.ts';

/** Target size of a page in bytes, estimated from the previous pages. */
const PAGE_BYTES = 1 << 20;
const FIRST_PAGE = 32;
const MOST_RECORDS = 1000;
/** Maximum cached counts: one for each list that is being read in chunks. */
const COUNTS_KEPT = 256;

/** The past states of one stored resource, read from the store's history page by page. */
export class PastStates {
  readonly #counts = new BoundedMap<string, MaybePromise<number>>(COUNTS_KEPT);

  constructor(
    private readonly storage: Storage,
    private readonly reader: RecordReader,
  ) {}

  /**
   * Records with start <= key < end at a revision, in pages of about 1 MB.
   * @param wanted number of records that the caller will probably need: no page is longer
   * @throws CompactedError, FutureRevisionError
   */
  async *pages(
    start: string,
    end: string,
    revision: number,
    wanted: number,
  ): AsyncGenerator<readonly CacheRecord[], void, undefined> {
    let cursor = start;
    let limit = Math.min(FIRST_PAGE, wanted);
    for (;;) {
      const { entries, more } = await this.storage.range({
        start: cursor,
        end,
        revision,
        limit,
        uncounted: true,
      });
      if (entries.length > 0) yield entries.map((entry) => CacheRecord.of(entry, this.reader));
      if (!more || entries.length === 0) return;
      cursor = `${entries.at(-1)!.key}\0`;
      const bytes = entries.reduce((sum, { value }) => sum + value.length, 0);
      limit = Math.max(
        1,
        Math.min(MOST_RECORDS, wanted, Math.floor((PAGE_BYTES * entries.length) / Math.max(bytes, 1))),
      );
    }
  }

  /** Number of records in a range at a revision; counted once for concurrent and subsequent callers. */
  count(start: string, end: string, revision: number): MaybePromise<number> {
    const key = countKey(start, end, revision);
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const range = this.storage.range({ start, end, revision, limit: 1, keysOnly: true });
    if (!(range instanceof Promise)) return this.#keep(key, range.count);
    const counting = range.then(
      ({ count }) => this.#keep(key, count),
      (error: unknown) => {
        this.#counts.delete(key);
        throw error;
      },
    );
    return this.#keep(key, counting);
  }

  /** Caches a count derived from another one: that of the next chunk's range. */
  recordCount(start: string, end: string, revision: number, count: number): void {
    this.#keep(countKey(start, end, revision), count);
  }

  #keep<Count extends MaybePromise<number>>(key: string, count: Count): Count {
    this.#counts.set(key, count);
    return count;
  }
}

const countKey = (start: string, end: string, revision: number): string =>
  JSON.stringify([revision, start, end]);
