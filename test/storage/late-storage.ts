import type {
  GetResult,
  MaybePromise,
  RangeOptions,
  RangeResult,
  Storage,
  StoreWatch,
  Transaction,
  TransactionResult,
  WatchOptions,
} from '../../src/storage/storage.ts';

/**
 * Delivers events, progress and ends of watches later than its inner store, in order, as a store in another
 * process does; reads are asynchronous. Deliveries wait for a later turn of the event loop, or for
 * {@link release} after {@link hold}.
 */
export class LateStorage implements Storage {
  /** Ranges that were read, in order. */
  readonly ranges: RangeOptions[] = [];
  /** Number of keys that were read. */
  gets = 0;
  /** Requests for progress of all watches. */
  progressRequests = 0;
  /** Awaited by every range before it reads. */
  beforeRange: () => Promise<void> | undefined = () => undefined;
  #held = false;
  #scheduled = false;
  #deliveries: (() => void)[] = [];

  constructor(public inner: Storage) {}

  /** Number of deliveries that wait. */
  get waiting(): number {
    return this.#deliveries.length;
  }

  /** Withholds deliveries. */
  hold(): void {
    this.#held = true;
  }

  /** Makes `count` deliveries now; all of them, and those that follow, without `count`. */
  release(count?: number): void {
    if (count === undefined) this.#held = false;
    const due = this.#deliveries.splice(0, count ?? this.#deliveries.length);
    for (const deliver of due) deliver();
  }

  async get(key: string, revision?: number): Promise<GetResult> {
    this.gets += 1;
    return this.inner.get(key, revision);
  }

  async range(options: RangeOptions): Promise<RangeResult> {
    this.ranges.push(options);
    await this.beforeRange();
    return this.inner.range(options);
  }

  async count(start: string, end: string): Promise<number> {
    return this.inner.count(start, end);
  }

  transact(transaction: Transaction): Promise<TransactionResult> {
    return this.inner.transact(transaction);
  }

  createBatch(entries: readonly { key: string; value: Uint8Array }[]): Promise<number[]> {
    return this.inner.createBatch(entries);
  }

  watch(options: WatchOptions): StoreWatch {
    let closed = false;
    const later = (deliver: () => void) =>
      this.#enqueue(() => {
        if (!closed) deliver();
      });
    const watch = this.inner.watch({
      ...options,
      onEvents: (events) => later(() => options.onEvents(events)),
      onProgress: (revision, requested) => later(() => options.onProgress?.(revision, requested)),
      onEnd: (error) => later(() => options.onEnd(error)),
    });
    return {
      close: () => {
        closed = true;
        watch.close();
      },
      requestProgress: () => {
        this.progressRequests += 1;
        watch.requestProgress();
      },
    };
  }

  compact(revision: number): Promise<void> {
    return this.inner.compact(revision);
  }

  async currentRevision(): Promise<number> {
    return this.inner.currentRevision();
  }

  async statistics(): Promise<{ bytes: number; keys: number }> {
    return this.inner.statistics();
  }

  health(): MaybePromise<Error | undefined> {
    return this.inner.health();
  }

  backup(directory: string): Promise<void> {
    return this.inner.backup(directory);
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  #enqueue(deliver: () => void): void {
    this.#deliveries.push(deliver);
    if (this.#held || this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (!this.#held) this.release();
    });
  }
}
