import { lowerBound } from '../collections/lower-bound.ts';
import { Pace } from '../steps/pace.ts';
import { runInBackground } from '../steps/run.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import type { CacheEvent, CacheRecord } from './record.ts';
import type { RecordQuery } from './record-query.ts';

/** Records of one value, above which the index holds none of them: a scan finds them nearly as soon. */
const MOST_OF_ONE_VALUE = 4096;

/** Records that are read in one step: most texts are found without decoding an object. */
const recordsPerStep = (): number => 8 * stepSizes.records;

/** The value is too common: its records are not in the index. */
const COMMON = Symbol('common');
/** Records in key order. */
type Bucket = CacheRecord[] | typeof COMMON;

/**
 * The records of a cache by one text: a reference to each, in an array for each value. It is filled in steps while the
 * cache changes: each event moves the record, and adding a record again changes nothing.
 */
export class RecordIndex {
  readonly #buckets = new Map<string, Bucket>();
  /** Whether all records are in the index. */
  #complete = false;
  /** Keys of records that cannot be read: the index says nothing while there are some, so that lists report them. */
  readonly #unreadable = new Set<string>();
  #filled: Promise<void> | undefined;

  constructor(private readonly read: RecordQuery['read']) {}

  /** Resolves when all records are in the index; undefined if they are. */
  get filled(): Promise<void> | undefined {
    return this.#complete ? undefined : this.#filled;
  }

  /** Adds all records in the background. @param records like those of {@link filling} */
  fill(records: Iterable<CacheRecord>): void {
    this.#filled = runInBackground(this.filling(records));
  }

  /** Adds all records in steps. @param records may change meanwhile, as the entries of a map do */
  *filling(records: Iterable<CacheRecord>): Steps<void> {
    const pace = new Pace(recordsPerStep());
    for (const record of records) {
      this.#add(record);
      if (pace.isPause()) yield;
    }
    this.#complete = true;
  }

  /** Follows a change of the cache. */
  apply({ previous, current }: Pick<CacheEvent, 'previous' | 'current'>): void {
    if (previous !== undefined) this.#remove(previous);
    if (current !== undefined) this.#add(current);
  }

  /** The records of a value in key order; undefined if only a scan finds them. */
  find(value: string): readonly CacheRecord[] | undefined {
    if (!this.#complete || this.#unreadable.size > 0) return undefined;
    const bucket = this.#buckets.get(value) ?? [];
    return bucket === COMMON ? undefined : bucket;
  }

  #add(record: CacheRecord): void {
    const value = this.#valueOf(record, (key) => this.#unreadable.add(key));
    if (value === undefined) return;
    const bucket = this.#buckets.get(value);
    if (bucket === undefined) this.#buckets.set(value, [record]);
    else if (bucket !== COMMON) this.#insert(value, bucket, record);
  }

  #insert(value: string, bucket: CacheRecord[], record: CacheRecord): void {
    const at = positionOf(bucket, record.key);
    if (bucket[at]?.key === record.key) bucket[at] = record;
    else if (bucket.length === MOST_OF_ONE_VALUE) this.#buckets.set(value, COMMON);
    else bucket.splice(at, 0, record);
  }

  #remove(record: CacheRecord): void {
    const value = this.#valueOf(record, (key) => this.#unreadable.delete(key));
    if (value === undefined) return;
    const bucket = this.#buckets.get(value);
    if (bucket === undefined || bucket === COMMON) return;
    const at = positionOf(bucket, record.key);
    if (bucket[at]?.key !== record.key) return;
    if (bucket.length === 1) this.#buckets.delete(value);
    else bucket.splice(at, 1);
  }

  #valueOf(record: CacheRecord, onError: (key: string) => void): string | undefined {
    try {
      return this.read(record);
    } catch {
      onError(record.key);
      return undefined;
    }
  }
}

/** Position of the first record whose key is not below a key. @param records in key order */
export const positionOf = (records: readonly CacheRecord[], key: string): number =>
  lowerBound(records, (record) => record.key < key);
