import type {
  GetResult,
  HealthPurpose,
  MaybePromise,
  RangeChanges,
  RangeOptions,
  RangeResult,
  Storage,
  StorageStatistics,
  StoreReplacedError,
  StoreWatch,
  Transaction,
  TransactionResult,
  WatchOptions,
} from '../storage.ts';

/** A store for the keys that begin with `prefix`, which ends in `/`. */
export interface Route {
  readonly prefix: string;
  readonly storage: Storage;
}

/**
 * Several stores, each with some of the keys, and each with revisions of its own (`--etcd-servers-overrides`).
 * Ranges and watches of more than the keys of a route contain the keys of the main store.
 */
export class RoutedStorage implements Storage {
  readonly compactsItself = true;

  constructor(
    private readonly main: Storage,
    private readonly routes: readonly Route[],
  ) {}

  onReplaced(listener: (error: StoreReplacedError) => void): () => void {
    const stops = this.#all().map((storage) => storage.onReplaced?.(listener));
    return () => {
      for (const stop of stops) stop?.();
    };
  }

  get untrustedProgress(): boolean {
    return this.#all().some(({ untrustedProgress }) => untrustedProgress);
  }

  async changesSince(start: string, end: string, revision: number): Promise<RangeChanges> {
    const { changesSince } = this.#of(start);
    if (changesSince === undefined) throw new TypeError('the store does not compare ranges');
    return changesSince.call(this.#of(start), start, end, revision);
  }

  knownCompaction(key: string): number {
    return this.#of(key).knownCompaction?.(key) ?? 0;
  }

  hasOwnRevisions(prefix: string): boolean {
    return this.#of(prefix) !== this.main;
  }

  get(key: string, revision?: number): MaybePromise<GetResult> {
    return this.#of(key).get(key, revision);
  }

  range(options: RangeOptions): MaybePromise<RangeResult> {
    return this.#of(options.start).range(options);
  }

  count(start: string, end: string): MaybePromise<number> {
    return this.#of(start).count(start, end);
  }

  transact(transaction: Transaction): Promise<TransactionResult> {
    return this.#of(transaction.key).transact(transaction);
  }

  async createBatch(entries: readonly { key: string; value: Uint8Array }[]): Promise<number[]> {
    const revisions = new Array<number>(entries.length);
    const byStorage = new Map<Storage, number[]>();
    for (const [index, { key }] of entries.entries()) {
      const indexes = byStorage.get(this.#of(key));
      if (indexes === undefined) byStorage.set(this.#of(key), [index]);
      else indexes.push(index);
    }
    for (const [storage, indexes] of byStorage) {
      const written = await storage.createBatch(indexes.map((index) => entries[index]!));
      for (const [position, index] of indexes.entries()) revisions[index] = written[position]!;
    }
    return revisions;
  }

  watch(options: WatchOptions): StoreWatch {
    return this.#of(options.start).watch(options);
  }

  /** Compacts the main store; revisions of the others are not comparable. */
  compact(revision: number): Promise<void> {
    return this.main.compact(revision);
  }

  currentRevision(): MaybePromise<number> {
    return this.main.currentRevision();
  }

  async statistics(): Promise<StorageStatistics> {
    const each = await Promise.all(this.#all().map((storage) => storage.statistics()));
    const clusterBytes = each.map(({ bytes }) => bytes);
    return {
      bytes: clusterBytes.reduce((sum, bytes) => sum + bytes, 0),
      keys: each.reduce((sum, { keys }) => sum + keys, 0),
      clusterBytes,
    };
  }

  async health(purpose?: HealthPurpose): Promise<Error | undefined> {
    const problems = await Promise.all(this.#all().map((storage) => storage.health(purpose)));
    return problems.find((problem) => problem !== undefined);
  }

  backup(directory: string): Promise<void> {
    return this.main.backup(directory);
  }

  async close(): Promise<void> {
    await Promise.all(this.#all().map((storage) => storage.close()));
  }

  #all(): Storage[] {
    return [this.main, ...this.routes.map(({ storage }) => storage)];
  }

  #of(key: string): Storage {
    for (const { prefix, storage } of this.routes) if (key.startsWith(prefix)) return storage;
    return this.main;
  }
}
