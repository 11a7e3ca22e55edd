import {
  type GetResult,
  type HealthPurpose,
  type MaybePromise,
  type RangeOptions,
  type RangeResult,
  type Storage,
  type StorageStatistics,
  StorageUnavailableError,
  type StoreReplacedError,
  type StoreWatch,
  type Transaction,
  type TransactionResult,
  type WatchOptions,
} from './storage.ts';

/**
 * Lends a store to the parts of a cluster until it is {@link revoke}d: from then on these parts read and write
 * nothing, whatever they still run. What they know about the store is void.
 */
export class RevocableStorage implements Storage {
  readonly #inner: Storage;
  readonly #watches = new Map<StoreWatch, WatchOptions['onEnd']>();
  #revoked: StorageUnavailableError | undefined;

  constructor(inner: Storage) {
    this.#inner = inner;
  }

  /** Ends the watches with `reason`; later calls fail. */
  revoke(reason: StoreReplacedError): void {
    this.#revoked ??= new StorageUnavailableError(
      'the store was replaced, and the server starts again from its state; try again in a second',
    );
    for (const [watch, onEnd] of this.#watches) {
      watch.close();
      onEnd(reason);
    }
    this.#watches.clear();
  }

  get immediate() {
    return this.#inner.immediate;
  }

  get compactsItself() {
    return this.#inner.compactsItself === true;
  }

  get untrustedProgress() {
    return this.#inner.untrustedProgress === true;
  }

  get changesSince() {
    const { changesSince } = this.#inner;
    if (changesSince === undefined) return undefined;
    return (start: string, end: string, revision: number) =>
      this.#use(() => changesSince.call(this.#inner, start, end, revision));
  }

  get isStale() {
    const { isStale } = this.#inner;
    if (isStale === undefined) return undefined;
    return (key: string): MaybePromise<boolean> => this.#use(() => isStale.call(this.#inner, key));
  }

  knownCompaction(key: string): number {
    return this.#inner.knownCompaction?.(key) ?? 0;
  }

  hasOwnRevisions(prefix: string): boolean {
    return this.#inner.hasOwnRevisions?.(prefix) === true;
  }

  get(key: string, revision?: number): MaybePromise<GetResult> {
    return this.#use(() => this.#inner.get(key, revision));
  }

  range(options: RangeOptions): MaybePromise<RangeResult> {
    return this.#use(() => this.#inner.range(options));
  }

  count(start: string, end: string): MaybePromise<number> {
    return this.#use(() => this.#inner.count(start, end));
  }

  transact(transaction: Transaction): Promise<TransactionResult> {
    return this.#use(() => this.#inner.transact(transaction));
  }

  createBatch(entries: readonly { key: string; value: Uint8Array }[]): Promise<number[]> {
    return this.#use(() => this.#inner.createBatch(entries));
  }

  watch(options: WatchOptions): StoreWatch {
    const revoked = this.#revoked;
    if (revoked !== undefined) {
      queueMicrotask(() => options.onEnd(revoked));
      return { close: () => undefined, requestProgress: () => undefined };
    }
    const inner = this.#inner.watch({
      ...options,
      onEnd: (error) => {
        this.#watches.delete(watch);
        options.onEnd(error);
      },
    });
    const watch: StoreWatch = {
      close: () => {
        this.#watches.delete(watch);
        inner.close();
      },
      requestProgress: () => inner.requestProgress(),
    };
    this.#watches.set(watch, options.onEnd);
    return watch;
  }

  compact(revision: number): Promise<void> {
    return this.#use(() => this.#inner.compact(revision));
  }

  currentRevision(): MaybePromise<number> {
    return this.#use(() => this.#inner.currentRevision());
  }

  statistics(): MaybePromise<StorageStatistics> {
    return this.#inner.statistics();
  }

  health(purpose?: HealthPurpose): MaybePromise<Error | undefined> {
    return this.#inner.health(purpose);
  }

  backup(directory: string): Promise<void> {
    return this.#inner.backup(directory);
  }

  /** The store is not closed: it belongs to the lender. */
  async close(): Promise<void> {}

  #use<Answer>(call: () => Promise<Answer>): Promise<Answer>;
  #use<Answer>(call: () => MaybePromise<Answer>): MaybePromise<Answer>;
  #use<Answer>(call: () => MaybePromise<Answer>): MaybePromise<Answer> {
    return this.#revoked === undefined ? call() : Promise.reject(this.#revoked);
  }
}
