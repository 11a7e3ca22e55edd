import { RecentEvents } from '../storage/recent-events.ts';
import {
  CompactedError,
  type MaybePromise,
  type RangeResult,
  type Storage,
  type StoreEvent,
  StoreReplacedError,
} from '../storage/storage.ts';
import { type ProcessClock, processClock } from '../time/clock.ts';
import { yieldToEventLoop } from '../time/event-loop.ts';
import { CacheCounts } from './cache-counts.ts';
import { toCacheEvent } from './cache-event.ts';
import { CatchUp } from './catch-up.ts';
import { FanOut } from './fan-out.ts';
import { Freshness } from './freshness.ts';
import { type HistoryBatch, readHistory, SharedHistory } from './history.ts';
import { type CacheEvent, CacheRecord, type RecordReader } from './record.ts';
import { RecordIndexes } from './record-indexes.ts';
import type { RecordQuery } from './record-query.ts';
import { Reflector } from './reflector.ts';
import { RetainedSnapshots } from './retained-snapshots.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import { SortedRecords } from './sorted-records.ts';
import { Watcher, type WatchScope, type WatchSink } from './watcher.ts';
import { WatcherIndex } from './watcher-index.ts';
import { type KnownState, WrittenStates } from './written-states.ts';

/** Minimum capacity of the fan-out queue in bytes, also when no recent events are kept. */
const LEAST_FAN_OUT_BYTES = 2 << 20;

export interface CacheOptions {
  readonly storage: Storage;
  /** Key prefix of the resource, ending in `/`. */
  readonly prefix: string;
  readonly reader: RecordReader;
  /** Maximum bytes of events kept in memory; 0 makes every resumed watch read the store's history. */
  readonly eventBytes: number;
  /** Clock for the retries of filling the cache. */
  readonly clock?: ProcessClock;
}

/** Receives the result of a write to a key: its record is undefined when the object was removed. */
export type WriteListener = (key: string, state: KnownState) => void;

/** An open watch. */
export interface CacheWatch {
  close(): void;
  /** Everything up to this revision has been delivered, or did not concern this watch. */
  deliveredRevision(): number;
  /**
   * Resolves when every change that the store had at the call has been delivered, or when the watch has ended.
   * @throws the errors of {@link ResourceCache.waitFresh}
   */
  caughtUp(): Promise<void>;
}

/**
 * The current state of one stored resource and its recent events, fed by the store in revision order. It
 * contains durable changes only and is filled on first use.
 */
export class ResourceCache {
  readonly prefix: string;
  readonly #storage: Storage;
  readonly #reader: RecordReader;
  readonly #watchers = new WatcherIndex();
  readonly #writeListeners = new Set<WriteListener>();
  readonly #fanOut: FanOut;
  readonly #catchUp: CatchUp;
  readonly #feed: Reflector;
  readonly #freshness: Freshness;
  readonly #history: SharedHistory<CacheEvent>;
  readonly #snapshots = new RetainedSnapshots();
  readonly #records = new SortedRecords();
  readonly #indexes = new RecordIndexes(this.#records.byKey);
  readonly #written = new WrittenStates();
  readonly #options: CacheOptions;
  #recent!: RecentEvents<CacheEvent>;
  /** Increases with every change, to invalidate derived state. */
  generation = 0;
  /** Counters of events, lists and reads, for metrics. */
  readonly counts = new CacheCounts();

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#storage = options.storage;
    this.prefix = options.prefix;
    this.#reader = options.reader;
    const { clock = processClock } = options;
    this.#feed = new Reflector(options.storage, options.prefix, clock, {
      reset: (state) => this.#reset(state),
      apply: (events) => this.#apply(events),
      progress: (revision, requested) => {
        this.#reached(revision);
        if (requested) this.#freshness.progressed();
      },
      complete: () => {
        this.generation += 1;
      },
      disconnected: (error) => {
        // Clients continue at their versions, unless the store does not have them any more.
        const isGone = error instanceof StoreReplacedError || error instanceof CompactedError;
        this.endWatches(isGone ? error : undefined);
        this.#freshness.disconnected();
      },
    });
    const source = {
      ready: () => this.#feed.ready(),
      requestProgress: () => this.#feed.requestProgress(),
      size: () => this.#records.byKey.size,
    };
    this.#freshness = new Freshness(options.storage, options.prefix, source, clock);
    this.#history = new SharedHistory((revision, target) => this.#readHistory(revision, target), clock);
    this.#catchUp = new CatchUp({
      recent: (revision, limit) => this.#recent.after(revision, limit),
      past: (watcher) => this.#fromHistory(watcher),
      end: (watcher, error) => this.#end(watcher, error),
    });
    this.#fanOut = new FanOut({
      watchersOf: (event) => this.#watchers.forEvent(event, this.prefix),
      needsCatchUp: (watcher) => this.#catchUp.add(watcher),
      onError: (watcher, error) => this.#end(watcher, error),
      onOverflow: (revision) => this.#onFanOutOverflow(revision),
      capacity: Math.max(options.eventBytes / 2, LEAST_FAN_OUT_BYTES),
    });
  }

  /**
   * Whether a watch covers a collection: the whole resource, or the prefix of one namespace. Watches of one
   * name do not count, nor do those that encode nothing.
   */
  isWatched(prefix: string): boolean {
    return this.#watchers.hasCollectionWatch(this.prefix, prefix);
  }

  get size(): number {
    return this.#records.byKey.size;
  }

  /** Whether the cache is filled and follows the store. */
  get isLive(): boolean {
    return this.#feed.live;
  }

  /** Whether every event has been delivered to the watchers that keep up. */
  get hasDelivered(): boolean {
    return this.#fanOut.idle;
  }

  /**
   * Fills the cache on first use, and again after the store's watch ended; synchronous once it is filled.
   * @throws StorageUnavailableError when it cannot be filled now
   */
  ready(): MaybePromise<void> {
    return this.#feed.ready();
  }

  /**
   * Waits until the cache is as new as a revision (0: as any state of the store), or as the store was at the
   * call. Synchronous when it is; a store that applies changes at once never delays `latest`.
   * @param milliseconds maximum time, default 3 s
   * @throws ApiError 504 if the revision is not reached in time, StorageUnavailableError
   */
  waitFresh(revision: number | 'latest', milliseconds?: number): MaybePromise<void> {
    return this.#freshness.wait(revision, milliseconds);
  }

  #reset({ entries, revision }: RangeResult): void {
    // Watchers that joined during an earlier attempt have seen events that this state does not continue.
    this.endWatches();
    this.#indexes.clear();
    this.#snapshots.clear();
    this.#history.clear();
    this.#records.reset(entries.map((entry) => CacheRecord.of(entry, this.#reader)));
    this.counts.initializations += 1;
    this.#recent = new RecentEvents(this.#options.eventBytes, revision, (event) => event.bytes);
    this.#reached(revision);
    this.generation += 1;
  }

  #apply(storeEvents: readonly StoreEvent[]): void {
    this.generation += 1;
    this.counts.events += storeEvents.length;
    this.#dropCompactedSnapshots();
    let index = 0;
    for (let position = 0; position < storeEvents.length; position += 1) {
      const event = this.#toEvent(storeEvents, position, index);
      index = event.endsRevision ? 0 : index + 1;
      if (event.previous !== undefined) this.#snapshots.countReplaced(event.previous);
      if (event.current === undefined) this.#records.delete(event.key);
      else this.#records.set(event.key, event.current);
      this.#indexes.apply(event);
      this.#recent.push(event);
      if (this.#watchers.size > 0) this.#fanOut.push(event);
    }
    this.#reached(storeEvents.at(-1)!.revision);
  }

  #toEvent(events: readonly StoreEvent[], position: number, index: number): CacheEvent {
    return toCacheEvent(
      events,
      position,
      index,
      this.#records.byKey.get(events[position]!.key),
      this.#reader,
    );
  }

  /** Revision of the current state. */
  get revision(): number {
    return this.#freshness.revision;
  }

  get(key: string): CacheRecord | undefined {
    return this.#records.byKey.get(key);
  }

  /**
   * The newest known record of a key, for a write only: the result of an own write that the cache has not
   * reached, else the cached record. Another server may have changed it.
   */
  baseOf(key: string): CacheRecord | undefined {
    const written = this.#written.get(key);
    return written !== undefined && written.revision > this.revision ? written.record : this.get(key);
  }

  /**
   * Calls a listener with the result of each own write, before its response is sent and before watches see it.
   * @returns a function that ends that
   */
  onWritten(listener: WriteListener): () => void {
    this.#writeListeners.add(listener);
    return () => void this.#writeListeners.delete(listener);
  }

  /** Notes the result of an own write for the next write of the key. */
  wrote(key: string, state: KnownState): void {
    if (this.#storage.immediate === undefined && state.revision > this.revision)
      this.#written.set(key, state);
    for (const listener of this.#writeListeners) listener(key, state);
  }

  #reached(revision: number): void {
    this.#written.reached(revision);
    this.#freshness.advance(revision);
  }

  /** The current state; valid until the next change (no copy is made). */
  current(): Snapshot {
    return snapshotOf(this.#records.tree, this.revision);
  }

  /**
   * The current records that fulfil one of the queries, in key order: a superset of those that fulfil all. Undefined
   * if only a scan finds them.
   */
  find(queries: readonly RecordQuery[]): readonly CacheRecord[] | undefined {
    return queries.length === 0 ? undefined : this.#indexes.find(queries);
  }

  /**
   * Resolves when {@link find} may find records of the queries, because an index is filled; undefined if none is being
   * filled. Whoever comes meanwhile waits sooner than it scans.
   */
  filling(queries: readonly RecordQuery[]): Promise<void> | undefined {
    return this.#indexes.filling(queries);
  }

  /** A copy-on-write snapshot, for callers that stream it. */
  freeze(): Snapshot {
    return snapshotOf(this.#records.tree.clone(), this.revision);
  }

  /** Retains the current state for the continue token with its revision. */
  retainSnapshot(): number {
    const { revision } = this;
    if (!this.#snapshots.has(revision)) this.#snapshots.retain(revision, this.#records.tree.clone());
    return revision;
  }

  /** The snapshot retained for a continue token, unless it was evicted or its revision has been compacted. */
  retainedSnapshot(revision: number): Snapshot | undefined {
    this.#dropCompactedSnapshots();
    const tree = this.#snapshots.get(revision);
    return tree === undefined ? undefined : snapshotOf(tree, revision);
  }

  /**
   * Delivers every event after `revision` until the watch is closed. Revisions that are no longer in memory
   * are read from the store's history; a compacted one ends the watch with CompactedError.
   */
  watch(scope: WatchScope, revision: number, sink: WatchSink): CacheWatch {
    const watcher = new Watcher(scope, sink, revision);
    this.#watchers.add(watcher);
    // The store's watch ended after the caller had waited for the cache: the client resumes, and the cache is
    // refilled.
    if (!this.#feed.live) queueMicrotask(() => this.#end(watcher, undefined));
    else this.#catchUp.join(watcher);
    const deliveredRevision = (): number =>
      watcher.busy || !this.#fanOut.idle ? watcher.position : Math.max(watcher.position, this.revision);
    return {
      close: () => this.#remove(watcher),
      deliveredRevision,
      caughtUp: async () => {
        await this.waitFresh('latest');
        const { revision } = this;
        while (!watcher.closed && deliveredRevision() < revision) await yieldToEventLoop();
      },
    };
  }

  /** Ends every watch. @param reason undefined if clients can continue at their versions */
  endWatches(reason?: StoreReplacedError | CompactedError): void {
    for (const watcher of this.#watchers.all()) this.#end(watcher, reason);
  }

  close(): void {
    this.endWatches();
    this.#feed.close();
    this.#freshness.close();
    this.#history.clear();
  }

  /** Without the store's compacted revision, snapshots are dropped by age and size only. */
  #dropCompactedSnapshots(): void {
    this.#snapshots.compact(this.#knownCompaction());
  }

  /** History below this revision is compacted; 0 if nothing is known. */
  #knownCompaction(): number {
    const { immediate } = this.#storage;
    return immediate?.compactedRevision ?? this.#storage.knownCompaction?.(this.prefix) ?? 0;
  }

  /** All live watchers have received everything before `revision` and catch up from there. */
  #onFanOutOverflow(revision: number): void {
    for (const watcher of this.#watchers.all()) {
      if (watcher.closed || watcher.busy) continue;
      watcher.position = Math.max(watcher.position, revision - 1);
      this.#catchUp.add(watcher);
    }
  }

  async #fromHistory(watcher: Watcher): Promise<readonly CacheEvent[]> {
    // A watch cannot resume from a compacted revision, even if the next change is still available.
    const compacted = this.#knownCompaction();
    if (watcher.position < compacted) throw new CompactedError(watcher.position, compacted);
    const { events, revision } = await this.#history.after(watcher.position, this.revision);
    if (events.length === 0) watcher.position = Math.max(watcher.position, revision);
    return events;
  }

  async #readHistory(revision: number, target: number): Promise<HistoryBatch<CacheEvent>> {
    const { events, ...range } = await readHistory(this.#storage, this.prefix, revision, target);
    let index = 0;
    const converted = events.map((_, at) => {
      const event = this.#toEvent(events, at, index);
      index = event.endsRevision ? 0 : index + 1;
      return event;
    });
    return { ...range, events: converted };
  }

  #end(watcher: Watcher, error: unknown): void {
    if (watcher.closed) return;
    this.#remove(watcher);
    watcher.sink.end(error);
  }

  #remove(watcher: Watcher): void {
    if (watcher.closed) return;
    watcher.closed = true;
    this.#watchers.remove(watcher);
    this.#catchUp.remove(watcher);
  }
}
