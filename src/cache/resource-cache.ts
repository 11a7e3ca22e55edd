import { type StorageClock, systemClock } from '../storage/clock.ts';
import { createSortedMap, type SortedMap } from '../storage/sorted-map.ts';
import {
  CompactedError,
  type MaybePromise,
  type RangeResult,
  type Storage,
  type StoreEvent,
} from '../storage/storage.ts';
import { CatchUp } from './catch-up.ts';
import { EventRing } from './event-ring.ts';
import { FanOut } from './fan-out.ts';
import { readHistory } from './history.ts';
import { CacheEvent, CacheRecord, type RecordReader } from './record.ts';
import { RetainedSnapshots } from './retained-snapshots.ts';
import { StoreFeed } from './store-feed.ts';
import { Watcher, WatcherIndex, type WatchScope, type WatchSink } from './watcher.ts';

type Tree = SortedMap<CacheRecord>;

/** Minimum capacity of the fan-out queue in bytes, also when no recent events are kept. */
const LEAST_FAN_OUT_BYTES = 2 << 20;

export interface CacheOptions {
  readonly storage: Storage;
  /** Key prefix of the resource, ending in `/`. */
  readonly prefix: string;
  readonly reader: RecordReader;
  /** Maximum bytes of events kept in memory; 0 makes every resumed watch read the store's history. */
  readonly eventBytes: number;
  /** Called with the number of events of each batch, for metrics. */
  readonly onEvent?: (count: number) => void;
  /** Clock for the retries of filling the cache. */
  readonly clock?: StorageClock;
}

/** An open watch. */
export interface CacheWatch {
  close(): void;
  /** Everything up to this revision has been delivered, or did not concern this watch. */
  deliveredRevision(): number;
}

/** The state of the resource at one revision; it does not change while it is read. */
export interface Snapshot {
  readonly revision: number;
  readonly size: number;
  /** Records with start <= key < end in key order, until `visit` returns false. */
  scan(start: string, end: string, visit: (record: CacheRecord) => boolean | undefined): void;
  count(start: string, end: string): number;
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
  readonly #fanOut: FanOut;
  readonly #catchUp: CatchUp;
  readonly #feed: StoreFeed;
  readonly #snapshots = new RetainedSnapshots();
  readonly #records = new Map<string, CacheRecord>();
  readonly #options: CacheOptions;
  #tree: Tree = createSortedMap<CacheRecord>();
  #ring!: EventRing;
  /** Increases with every change, to invalidate derived state. */
  generation = 0;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#storage = options.storage;
    this.prefix = options.prefix;
    this.#reader = options.reader;
    this.#feed = new StoreFeed(options.storage, options.prefix, options.clock ?? systemClock, {
      reset: (state) => this.#reset(state),
      apply: (events) => this.#apply(events),
      complete: () => {
        this.generation += 1;
      },
      disconnected: () => this.endWatches(),
    });
    this.#catchUp = new CatchUp({
      recent: (revision, limit) => this.#ring.after(revision, limit),
      past: (watcher) => this.#fromHistory(watcher),
      end: (watcher, error) => this.#end(watcher, error),
    });
    this.#fanOut = new FanOut({
      watchersOf: (event) => this.#watchers.forKey(event.key, this.prefix),
      needsCatchUp: (watcher) => this.#catchUp.add(watcher),
      onError: (watcher, error) => this.#end(watcher, error),
      onOverflow: (revision) => this.#onFanOutOverflow(revision),
      capacity: Math.max(options.eventBytes / 2, LEAST_FAN_OUT_BYTES),
    });
  }

  /**
   * Whether a watch covers a collection: the whole resource, or the prefix of one namespace. Watches of one
   * name do not count.
   */
  isWatched(prefix: string): boolean {
    return this.#watchers.hasCollectionWatch(this.prefix, prefix);
  }

  get size(): number {
    return this.#records.size;
  }

  /**
   * Fills the cache on first use, and again after the store's watch ended; synchronous once it is filled.
   * @throws StorageUnavailableError when it cannot be filled now
   */
  ready(): MaybePromise<void> {
    return this.#feed.ready();
  }

  #reset({ entries, revision }: RangeResult): void {
    // Watchers that joined during an earlier attempt have seen events that this state does not continue.
    this.endWatches();
    this.#records.clear();
    this.#snapshots.clear();
    const pairs: [string, CacheRecord][] = entries.map((entry) => [
      entry.key,
      CacheRecord.of(entry, this.#reader),
    ]);
    for (const [key, record] of pairs) this.#records.set(key, record);
    this.#tree = createSortedMap<CacheRecord>();
    this.#tree.setPairs(pairs);
    this.#ring = new EventRing(revision, this.#options.eventBytes);
    this.generation += 1;
  }

  #apply(storeEvents: readonly StoreEvent[]): void {
    this.generation += 1;
    this.#snapshots.compact(this.#storage.compactedRevision);
    for (const one of storeEvents) {
      const event = this.#toEvent(one);
      if (event.previous !== undefined) this.#snapshots.countReplaced(event.previous);
      if (event.current === undefined) {
        this.#records.delete(event.key);
        this.#tree.delete(event.key);
      } else {
        this.#records.set(event.key, event.current);
        this.#tree.set(event.key, event.current);
      }
      this.#ring.append(event);
      if (this.#watchers.size > 0) this.#fanOut.push(event);
    }
    this.#options.onEvent?.(storeEvents.length);
  }

  #toEvent({ type, key, value, revision, previous, damage }: StoreEvent): CacheEvent {
    const current = type === 'put' ? new CacheRecord(key, revision, value, this.#reader, damage) : undefined;
    const known = this.#records.get(key);
    const before =
      previous === undefined
        ? undefined
        : known?.revision === previous.revision
          ? known
          : CacheRecord.of(previous, this.#reader);
    return new CacheEvent(revision, key, current, before);
  }

  /** Revision of the current state. */
  get revision(): number {
    return this.#storage.revision;
  }

  get(key: string): CacheRecord | undefined {
    return this.#records.get(key);
  }

  /** The current state; valid until the next change (no copy is made). */
  current(): Snapshot {
    return snapshotOf(this.#tree, this.revision);
  }

  /** A copy-on-write snapshot, for callers that stream it. */
  freeze(): Snapshot {
    return snapshotOf(this.#tree.clone(), this.revision);
  }

  /** Retains the current state for the continue token with its revision. */
  retainSnapshot(): number {
    const { revision } = this;
    if (!this.#snapshots.has(revision)) this.#snapshots.retain(revision, this.#tree.clone());
    return revision;
  }

  /** The snapshot retained for a continue token, unless it was evicted or its revision has been compacted. */
  retainedSnapshot(revision: number): Snapshot | undefined {
    this.#snapshots.compact(this.#storage.compactedRevision);
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
    return {
      close: () => this.#remove(watcher),
      deliveredRevision: () =>
        watcher.busy || !this.#fanOut.idle ? watcher.position : Math.max(watcher.position, this.revision),
    };
  }

  /** Ends every watch, on shutdown. */
  endWatches(): void {
    for (const watcher of this.#watchers.all()) this.#end(watcher, undefined);
  }

  close(): void {
    this.endWatches();
    this.#feed.close();
  }

  /** All live watchers have received everything before `revision` and catch up from there. */
  #onFanOutOverflow(revision: number): void {
    for (const watcher of this.#watchers.all()) {
      if (watcher.closed || watcher.busy) continue;
      watcher.position = Math.max(watcher.position, revision - 1);
      this.#catchUp.add(watcher);
    }
  }

  async #fromHistory(watcher: Watcher): Promise<CacheEvent[]> {
    // A watch cannot resume from a compacted revision, even if the next change is still available.
    if (watcher.position < this.#storage.compactedRevision)
      throw new CompactedError(watcher.position, this.#storage.compactedRevision);
    const { events, revision } = await readHistory(this.#storage, this.prefix, watcher.position);
    if (events.length === 0) watcher.position = Math.max(watcher.position, revision);
    return events.map((event) => this.#toEvent(event));
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

function snapshotOf(tree: Tree, revision: number): Snapshot {
  return {
    revision,
    size: tree.size,
    scan(start, end, visit) {
      tree.forRange(start, end, false, (_key, record) =>
        visit(record) === false ? { break: true } : undefined,
      );
    },
    count(start, end) {
      let count = 0;
      tree.forRange(start, end, false, () => {
        count += 1;
      });
      return count;
    },
  };
}
