import { AdjustableClock } from '../../time/adjustable-clock.ts';
import { type ClusterClock, type ProcessClock, processClock } from '../../time/clock.ts';
import { ExpiryTimer } from '../expiry-timer.ts';
import {
  assertWritableKey,
  CompactedError,
  FutureRevisionError,
  type GetResult,
  type ImmediateStorage,
  KeyExistsError,
  type RangeOptions,
  type RangeResult,
  StorageUnavailableError,
  type StoredEntry,
  StoreReplacedError,
  type StoreWatch,
  type Transaction,
  type TransactionResult,
  type WatchOptions,
} from '../storage.ts';
import { WatchHub } from '../watch-hub.ts';
import type { ByteBudget } from './byte-budget.ts';
import { toEvent, type Version } from './version.ts';
import { VersionStore } from './version-store.ts';

export interface MemoryStorageOptions {
  readonly clock?: ProcessClock;
  /** Times to live count by it; that of the process unless given. */
  readonly clusterClock?: Pick<ClusterClock, 'now' | 'after'>;
  /**
   * Maximum bytes of superseded values and tombstones (default 64 MB). Above it the store compacts to the
   * middle of its history regardless of the caller's schedule.
   */
  readonly maximumHistoryBytes?: number;
  /** What several stores share: while it is used up, nothing is put. */
  readonly budget?: ByteBudget;
}

/** Where a fork begins. */
export interface ForkPoint {
  /** The fork has the state at this revision, and no history before it. Default: the present state and its history. */
  readonly revision?: number;
}

/**
 * A store that lives as long as the process and can be forked: a fork has the state of its origin, the two go on for
 * themselves, and what neither of them changes is in memory once.
 */
export interface MemoryStorage extends ImmediateStorage {
  /**
   * Copies nothing but what one of the two changes later. The present state costs the same whatever the number of
   * objects; a past one as much as there are changes after it.
   * @param options of the fork; its times to live are those of the origin, by its own clock
   * @throws CompactedError, FutureRevisionError, StorageUnavailableError
   */
  fork(options?: MemoryStorageOptions, point?: ForkPoint): MemoryStorage;
  /**
   * Takes over the present state of another store. Revisions go on: the next one is above all that this store and
   * the other one have had, and history before it is compacted. Watches end with {@link StoreReplacedError}.
   * @throws StorageUnavailableError
   */
  replaceBy(source: MemoryStorage): Promise<void>;
  /** What it holds. `bytes` are about those of changes since the fork, with their history: the rest is shared. */
  statistics(): { readonly bytes: number; readonly keys: number };
  /** The newest revision at a time, by the cluster clock. @throws CompactedError if it is compacted or unknown */
  revisionAt(time: number): number;
}

const catchUpEvents = 1000;
const expiryBatch = 256;
const emptyValue = new Uint8Array(0);
const closedMessage = 'the store is closed';

/**
 * Creates a store that lives as long as the process. Like etcd's, its first revision is 1: 0 has a special
 * meaning in the API.
 */
export function createMemoryStorage(options: MemoryStorageOptions = {}): MemoryStorage {
  return new VersionedStorage(options, {
    versions: new VersionStore(options.budget),
    revision: 1,
    compactedRevision: 0,
  });
}

/** What a store begins with. */
interface Beginning {
  readonly versions: VersionStore;
  readonly revision: number;
  readonly compactedRevision: number;
}

class VersionedStorage implements MemoryStorage {
  #revision: number;
  #compactedRevision: number;
  #closed = false;
  #running = false;
  /** Writes of the current turn. A microtask drains the queue, so its callers bound it. */
  #queue: (() => void)[] = [];
  #versions: VersionStore;
  readonly #clusterClock: Pick<ClusterClock, 'now' | 'after'>;
  readonly #maximumHistoryBytes: number;
  readonly #budget: ByteBudget | undefined;
  readonly #leaveBudget: (() => void) | undefined;
  readonly #expiry: ExpiryTimer;
  readonly #hub: WatchHub;

  readonly #replaced = new Set<(error: StoreReplacedError) => void>();

  constructor(options: MemoryStorageOptions, { versions, revision, compactedRevision }: Beginning) {
    const { clock = processClock, clusterClock = new AdjustableClock(clock) } = options;
    this.#versions = versions;
    this.#revision = revision;
    this.#compactedRevision = compactedRevision;
    this.#clusterClock = clusterClock;
    this.#maximumHistoryBytes = options.maximumHistoryBytes ?? 64 << 20;
    this.#budget = options.budget;
    this.#leaveBudget = options.budget?.join(() => this.#giveUpHistory());
    this.#expiry = new ExpiryTimer(clusterClock, () => void this.#expire());
    this.#hub = new WatchHub({
      clock,
      revision: this.#revision,
      compactedRevision: () => this.#compactedRevision,
      history: (from, to) => {
        const changes = this.#versions.changes(from, to, catchUpEvents);
        return {
          events: changes.map(toEvent),
          next: changes.length < catchUpEvents ? to + 1 : changes.at(-1)!.revision + 1,
        };
      },
    });
    this.#armExpiry();
  }

  get immediate(): this {
    return this;
  }

  get revision(): number {
    return this.#revision;
  }

  get compactedRevision(): number {
    return this.#compactedRevision;
  }

  fork(options: MemoryStorageOptions = {}, { revision }: ForkPoint = {}): MemoryStorage {
    this.#assertReadable(revision);
    if (revision === undefined)
      return new VersionedStorage(options, {
        versions: this.#versions.fork(this.#revision, options.budget),
        revision: this.#revision,
        compactedRevision: this.#compactedRevision,
      });
    return new VersionedStorage(options, {
      versions: this.#versions.forkAt(revision, options.budget),
      revision,
      compactedRevision: revision,
    });
  }

  replaceBy(source: MemoryStorage): Promise<void> {
    if (!(source instanceof VersionedStorage)) throw new TypeError('the source is not a store in memory');
    return this.#enqueue([], () => this.#replaceBy(source));
  }

  revisionAt(time: number): number {
    this.#assertReadable(undefined);
    const revision = this.#versions.revisionAt(time) ?? 0;
    if (revision < Math.max(1, this.#compactedRevision))
      throw new CompactedError(revision, this.#compactedRevision);
    return revision;
  }

  onReplaced(listener: (error: StoreReplacedError) => void): () => void {
    this.#replaced.add(listener);
    return () => void this.#replaced.delete(listener);
  }

  get(key: string, revision?: number): GetResult {
    this.#assertReadable(revision);
    return { entry: this.#versions.at(key, revision || this.#revision), revision: this.#revision };
  }

  range(options: RangeOptions): RangeResult {
    const { start, end, revision, keysOnly, uncounted } = options;
    this.#assertReadable(revision);
    const limit = options.limit || Number.POSITIVE_INFINITY;
    let entries: StoredEntry[];
    let count: number;
    if (revision && revision < this.#revision) {
      const all = this.#versions.past(start, end, revision, uncounted ? limit + 1 : Number.POSITIVE_INFINITY);
      count = all.length;
      entries = count > limit ? all.slice(0, limit) : all;
    } else {
      entries = this.#versions.present(start, end, limit);
      count = entries.length < limit ? entries.length : this.#versions.count(start, end);
    }
    if (keysOnly) entries = entries.map((entry) => ({ ...entry, value: emptyValue }));
    return { entries, count, more: count > entries.length, revision: this.#revision };
  }

  count(start: string, end: string): number {
    this.#assertReadable(undefined);
    return this.#versions.count(start, end);
  }

  transact(transaction: Transaction): Promise<TransactionResult> {
    const { key, expected, value, timeToLiveSeconds } = transaction;
    return this.#write([key], () => {
      const current = this.#versions.current(key)?.entry;
      if ((current?.revision ?? 0) !== expected)
        return { succeeded: false, current, revision: this.#revision };
      if (!current && !value) return { succeeded: true, revision: this.#revision };
      if (value) this.#assertRoom();
      const now = this.#clusterClock.now();
      const deadline = value && timeToLiveSeconds ? now + timeToLiveSeconds * 1000 : 0;
      this.#publish([this.#versions.append(key, value, this.#revision + 1, deadline, now)]);
      if (deadline) this.#expiry.arm(deadline);
      return { succeeded: true, revision: this.#revision };
    });
  }

  createBatch(entries: readonly { key: string; value: Uint8Array }[]): Promise<number[]> {
    const keys = entries.map((entry) => entry.key);
    return this.#write(keys, () => {
      const seen = new Set<string>();
      for (const key of keys) {
        if (seen.has(key) || this.#versions.current(key)) throw new KeyExistsError(key);
        seen.add(key);
      }
      this.#assertRoom();
      const now = this.#clusterClock.now();
      const versions = entries.map(({ key, value }, index) =>
        this.#versions.append(key, value, this.#revision + 1 + index, 0, now),
      );
      this.#publish(versions);
      return versions.map((version) => version.revision);
    });
  }

  watch(options: WatchOptions): StoreWatch {
    if (!this.#closed) return this.#hub.watch(options);
    queueMicrotask(() => options.onEnd(new StorageUnavailableError(closedMessage)));
    return { close: () => undefined, requestProgress: () => undefined };
  }

  async compact(revision: number): Promise<void> {
    if (revision > this.#revision) throw new FutureRevisionError(revision, this.#revision);
    if (revision <= this.#compactedRevision) return;
    this.#compactedRevision = revision;
    this.#versions.compact(revision);
  }

  currentRevision(): number {
    return this.#revision;
  }

  statistics(): { bytes: number; keys: number } {
    return { bytes: this.#versions.changedBytes, keys: this.#versions.keys };
  }

  health(): Error | undefined {
    return this.#closed ? new StorageUnavailableError(closedMessage) : undefined;
  }

  async backup(): Promise<void> {
    throw new StorageUnavailableError(
      'the memory store cannot be backed up; start the server with a data directory',
    );
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#run();
    this.#closed = true;
    this.#expiry.stop();
    this.#hub.end(new StorageUnavailableError(closedMessage));
    this.#versions.close();
    this.#leaveBudget?.();
  }

  #replaceBy(source: VersionedStorage): void {
    source.#assertReadable(undefined);
    const versions = source.#versions.forkWithoutHistory(source.#revision, this.#budget);
    this.#versions.close();
    this.#versions = versions;
    this.#revision = Math.max(this.#revision, source.#revision) + 1;
    this.#compactedRevision = this.#revision;
    const error = new StoreReplacedError('the store has taken over the state of another one');
    for (const listener of [...this.#replaced]) listener(error);
    this.#hub.restart(this.#revision, error);
    this.#armExpiry();
  }

  #armExpiry(): void {
    const next = this.#versions.nextDeadline();
    if (next !== undefined && !this.#closed) this.#expiry.arm(next);
  }

  /** @throws StorageUnavailableError while the budget is used up */
  #assertRoom(): void {
    const problem = this.#budget?.problem();
    if (problem !== undefined) throw new StorageUnavailableError(problem);
  }

  #giveUpHistory(): void {
    if (this.#versions.historyBytes > 0) void this.compact(this.#revision);
  }

  #assertReadable(revision: number | undefined): void {
    if (this.#closed) throw new StorageUnavailableError(closedMessage);
    if (!revision) return;
    if (revision > this.#revision) throw new FutureRevisionError(revision, this.#revision);
    if (revision < this.#compactedRevision) throw new CompactedError(revision, this.#compactedRevision);
  }

  /** Enqueues a write, which fails if the store is replaced before: its caller knows the state of the other one. */
  #write<T>(keys: readonly string[], run: () => T): Promise<T> {
    const versions = this.#versions;
    return this.#enqueue(keys, () => {
      if (this.#versions !== versions)
        throw new StorageUnavailableError('the store was replaced before the write; try again');
      return run();
    });
  }

  /**
   * Runs writes sequentially in a microtask, never inside a watch's callback, so that all watches see events
   * in the same order.
   */
  #enqueue<T>(keys: readonly string[], run: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) throw new StorageUnavailableError(closedMessage);
      for (const key of keys) assertWritableKey(key);
      this.#queue.push(() => {
        try {
          resolve(run());
        } catch (error) {
          reject(error);
        }
      });
      if (this.#queue.length === 1 && !this.#running) queueMicrotask(() => this.#run());
    });
  }

  #run(): void {
    if (this.#running) return;
    this.#running = true;
    for (let index = 0; index < this.#queue.length; index += 1) this.#queue[index]!();
    this.#queue = [];
    this.#running = false;
    if (this.#versions.historyBytes > this.#maximumHistoryBytes)
      void this.compact(Math.min(this.#versions.middleRevision(), this.#revision));
  }

  #publish(versions: readonly Version[]): void {
    if (versions.length === 0) return;
    this.#revision = versions.at(-1)!.revision;
    this.#hub.publish(versions.map(toEvent), this.#revision);
  }

  async #expire(): Promise<void> {
    if (this.#closed) return;
    const expired = this.#versions.expired(this.#clusterClock.now(), expiryBatch);
    await Promise.all(
      expired.map(({ key, revision }) => this.transact({ key, expected: revision, value: undefined })),
    ).catch(() => undefined);
    this.#armExpiry();
  }
}
