import type { ProcessClock } from '../../time/clock.ts';
import {
  assertWritableKey,
  CompactedError,
  FutureRevisionError,
  type GetResult,
  type HealthPurpose,
  KeyExistsError,
  type MaybePromise,
  type RangeChanges,
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
} from '../storage.ts';
import { isCompacted, isFuture, toStorageError } from './call-errors.ts';
import type { Cluster } from './cluster.ts';
import { Compactor } from './compactor.ts';
import { concurrently } from './concurrently.ts';
import { EtcdHealth } from './health.ts';
import { compactedRevision } from './history.ts';
import type { KeyMapper } from './keys.ts';
import { Leases } from './leases.ts';
import { decodeHeaderOnly, decodeRange, type RangeResponse } from './messages.ts';
import { readPages } from './pages.ts';
import { COMPACT, RANGE } from './paths.ts';
import { encodeCompaction, encodeRange, type RangeRequest } from './requests.ts';
import { Transactions } from './transactions.ts';
import { toEntry, WatchStream } from './watch-stream.ts';

/** Writes of a batch at the same time. */
const BATCH_CONCURRENCY = 16;
const HISTORY_TIMEOUT = 2000;

export interface EtcdStorageOptions {
  readonly cluster: Cluster;
  readonly keys: KeyMapper;
  readonly clock: ProcessClock;
  /** Milliseconds between compactions; 0 leaves them to others. */
  readonly compactionInterval: number;
  readonly leaseReuseSeconds: number;
  /** Milliseconds for all attempts of a change. */
  readonly transactionTimeout: number;
  /** Milliseconds of a check that the process lives, and that it is ready. */
  readonly healthTimeout: number;
  readonly readyTimeout: number;
  /** Milliseconds for which {@link Storage.statistics} keeps its answer. */
  readonly statisticsInterval: number;
  /** Called with the number of keys of a lease when the next one is granted. */
  readonly onLeaseReplaced?: (keys: number) => void;
  readonly onWarning: (message: string, error: Error) => void;
}

/** The storage port on an etcd cluster. */
export class EtcdStorage implements Storage {
  readonly compactsItself = true;
  readonly #options: EtcdStorageOptions;
  readonly #cluster: Cluster;
  readonly #keys: KeyMapper;
  readonly #transactions: Transactions;
  readonly #compactor: Compactor | undefined;
  readonly #health: Readonly<Record<HealthPurpose, EtcdHealth>>;
  readonly #watches = new Set<WatchStream>();
  readonly #replacementListeners = new Set<(error: StoreReplacedError) => void>();
  #compactedRevision = 0;
  #pending = 0;
  #idle: (() => void) | undefined;
  #closing: Promise<void> | undefined;
  #statistics: { at: number; answer: Promise<StorageStatistics> } | undefined;

  constructor(options: EtcdStorageOptions) {
    this.#options = options;
    const { cluster, clock, keys, onWarning, compactionInterval } = options;
    this.#cluster = cluster;
    this.#keys = keys;
    const leases = new Leases({
      cluster,
      clock,
      reuseSeconds: options.leaseReuseSeconds,
      onReplaced: options.onLeaseReplaced,
    });
    this.#transactions = new Transactions({
      cluster,
      clock,
      keys,
      leases,
      timeout: options.transactionTimeout,
    });
    this.#health = {
      live: new EtcdHealth({ cluster, clock, keys, timeout: options.healthTimeout }),
      ready: new EtcdHealth({ cluster, clock, keys, timeout: options.readyTimeout }),
    };
    if (compactionInterval > 0)
      this.#compactor = new Compactor({
        cluster,
        clock,
        interval: compactionInterval,
        onCompacted: (revision) => this.#compacted(revision),
        onError: (error) => onWarning('failed to compact the history of etcd', error),
      });
    cluster.onReplaced((error) => {
      this.#compactedRevision = 0;
      this.#statistics = undefined;
      leases.forgetAll();
      this.#compactor?.forget();
      for (const listener of this.#replacementListeners) listener(error);
      for (const watch of [...this.#watches]) watch.end(error);
    });
  }

  onReplaced(listener: (error: StoreReplacedError) => void): () => void {
    this.#replacementListeners.add(listener);
    return () => void this.#replacementListeners.delete(listener);
  }

  get untrustedProgress(): boolean {
    for (const watch of this.#watches) if (watch.untrustedProgress) return true;
    return false;
  }

  knownCompaction(): number {
    return this.#compactedRevision;
  }

  async get(key: string, revision?: number): Promise<GetResult> {
    const { entries, header } = await this.#read({ key: this.#keys.toEtcd(key), revision });
    const [found] = entries;
    return { entry: found && toEntry(found, this.#keys), revision: header.revision };
  }

  range({ start, end, ...options }: RangeOptions): Promise<RangeResult> {
    const range = { key: this.#keys.toEtcd(start), rangeEnd: this.#keys.endToEtcd(end), ...options };
    return readPages(range, (request) => this.#read(request), this.#keys);
  }

  async count(start: string, end: string): Promise<number> {
    const request = { key: this.#keys.toEtcd(start), rangeEnd: this.#keys.endToEtcd(end), countOnly: true };
    return (await this.#read(request)).count;
  }

  async changesSince(start: string, end: string, revision: number): Promise<RangeChanges> {
    const { entries, count, header } = await this.#read({
      key: this.#keys.toEtcd(start),
      rangeEnd: this.#keys.endToEtcd(end),
      keysOnly: true,
      limit: 1,
      leastModRevision: revision + 1,
    });
    return { written: entries.length > 0, count, revision: header.revision };
  }

  transact(transaction: Transaction): Promise<TransactionResult> {
    return this.#change(() => this.#transactions.transact(transaction));
  }

  async createBatch(entries: readonly { key: string; value: Uint8Array }[]): Promise<number[]> {
    const seen = new Set<string>();
    for (const { key } of entries) {
      assertWritableKey(key);
      if (seen.has(key)) throw new KeyExistsError(key);
      seen.add(key);
    }
    const revisions = new Array<number>(entries.length);
    let taken: KeyExistsError | undefined;
    await concurrently(entries, BATCH_CONCURRENCY, async ({ key, value }, index) => {
      const result = await this.transact({ key, expected: 0, value, unique: true });
      if (result.succeeded) revisions[index] = result.revision;
      else taken ??= new KeyExistsError(key);
    });
    if (taken !== undefined) throw taken;
    return revisions;
  }

  watch(options: WatchOptions): StoreWatch {
    if (this.#closing !== undefined) {
      queueMicrotask(() => options.onEnd(closedError()));
      return { close: () => undefined, requestProgress: () => undefined };
    }
    const watch: WatchStream = new WatchStream({
      cluster: this.#cluster,
      clock: this.#options.clock,
      keys: this.#keys,
      watch: options,
      onClosed: () => this.#watches.delete(watch),
    });
    this.#watches.add(watch);
    return watch;
  }

  async compact(revision: number): Promise<void> {
    try {
      await this.#cluster.call(COMPACT, encodeCompaction(revision), decodeHeaderOnly);
      this.#compacted(revision);
    } catch (error) {
      if (isCompacted(error)) return;
      throw await this.#readError(error, revision);
    }
  }

  async currentRevision(): Promise<number> {
    const key = this.#keys.toEtcd(`${this.#keys.rootKey}/`);
    return (await this.#read({ key, keysOnly: true, limit: 1 })).header.revision;
  }

  statistics(): Promise<StorageStatistics> {
    const { clock, statisticsInterval } = this.#options;
    const now = clock.monotonic();
    if (this.#statistics === undefined || now - this.#statistics.at >= statisticsInterval)
      this.#statistics = { at: now, answer: this.#readStatistics() };
    return this.#statistics.answer;
  }

  health(purpose: HealthPurpose = 'live'): MaybePromise<Error | undefined> {
    return this.#closing === undefined ? this.#health[purpose].check() : closedError();
  }

  async backup(): Promise<void> {
    throw new StorageUnavailableError('use the snapshots of etcd to back it up (etcdctl snapshot save)');
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#compactor?.stop();
    if (this.#pending > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    for (const watch of [...this.#watches]) watch.end(closedError());
    this.#cluster.close();
  }

  async #change<T>(run: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw closedError();
    this.#pending += 1;
    try {
      return await run();
    } finally {
      this.#pending -= 1;
      if (this.#pending === 0) this.#idle?.();
    }
  }

  async #read(request: RangeRequest): Promise<RangeResponse> {
    if (this.#closing !== undefined) throw closedError();
    try {
      return await this.#cluster.call(RANGE, encodeRange(request), decodeRange);
    } catch (error) {
      throw await this.#readError(error, request.revision ?? 0);
    }
  }

  async #readError(error: unknown, revision: number): Promise<unknown> {
    if (isCompacted(error)) {
      const compacted = await compactedRevision(this.#cluster, revision, HISTORY_TIMEOUT);
      this.#compacted(compacted);
      return new CompactedError(revision, compacted);
    }
    if (isFuture(error)) return new FutureRevisionError(revision, await this.currentRevision());
    return toStorageError(error);
  }

  #compacted(revision: number): void {
    if (revision > this.#compactedRevision) this.#compactedRevision = revision;
    this.#cluster.witness.compacted(revision);
  }

  async #readStatistics(): Promise<StorageStatistics> {
    const keys = await this.count(`${this.#keys.rootKey}/`, '');
    const sizes = this.#cluster.endpoints.map((endpoint) =>
      endpoint.status(HISTORY_TIMEOUT).then(
        (status) => status.databaseBytes,
        () => 0,
      ),
    );
    return { bytes: Math.max(...(await Promise.all(sizes))), keys };
  }
}

function closedError(): StorageUnavailableError {
  return new StorageUnavailableError('the store is closed');
}
