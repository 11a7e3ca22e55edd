import { createSortedMap, type SortedMap } from '../storage/sorted-map.ts';
import { CompactedError, type MaybePromise, prefixEnd, type RangeResult, type Storage, type StoreEvent, type StoreWatch } from '../storage/storage.ts';
import { EventRing } from './event-ring.ts';
import { FanOut } from './fan-out.ts';
import { readHistory } from './history.ts';
import { CacheEvent, CacheRecord, type RecordReader } from './record.ts';
import { Watcher, WatcherIndex, type WatchScope, type WatchSink } from './watcher.ts';

type Tree = SortedMap<CacheRecord>;

const CATCH_UP_BATCH = 256;
const SNAPSHOTS_KEPT = 32;

export interface CacheOptions {
  readonly storage: Storage;
  /** Key prefix of the resource, ending in `/`. */
  readonly prefix: string;
  readonly reader: RecordReader;
  /** Most bytes of events kept in memory; 0 makes every resumed watch read the store's history. */
  readonly eventBytes: number;
  /** Told when a fan-out begins and ends, for metrics. */
  readonly onEvent?: (count: number) => void;
}

/** An open watch. */
export interface CacheWatch {
  close(): void;
  /** Everything up to here has been delivered, or did not concern this watch. */
  deliveredRevision(): number;
}

/** A state of the resource at one revision; it doesn't change while it is read. */
export interface Snapshot {
  readonly revision: number;
  readonly size: number;
  /** Records with start <= key < end in key order, until `visit` returns false. */
  scan(start: string, end: string, visit: (record: CacheRecord) => boolean | undefined): void;
  count(start: string, end: string): number;
}

/**
 * The present state of one stored resource and its recent events, fed by the store in revision order.
 * It holds only what is durable; it is filled on first use.
 */
export class ResourceCache {
  readonly prefix: string;
  readonly #storage: Storage;
  readonly #reader: RecordReader;
  readonly #watchers = new WatcherIndex();
  readonly #fanOut: FanOut;
  readonly #snapshots = new Map<number, Tree>();
  readonly #records = new Map<string, CacheRecord>();
  readonly #options: CacheOptions;
  #tree: Tree = createSortedMap<CacheRecord>();
  #ring!: EventRing;
  #watch: StoreWatch | undefined;
  #filling: Promise<void> | undefined;
  #filled = false;
  /** Rises with every change, so that what is derived from the state can be derived again. */
  generation = 0;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#storage = options.storage;
    this.prefix = options.prefix;
    this.#reader = options.reader;
    this.#fanOut = new FanOut(
      (event) => this.#watchers.forKey(event.key, this.prefix),
      (watcher) => this.#catchUp(watcher),
      (watcher, error) => this.#end(watcher, error),
    );
  }

  get watcherCount(): number {
    return this.#watchers.size;
  }

  get size(): number {
    return this.#records.size;
  }

  /** Fills the cache on first use; a value, not a promise, once that has happened. */
  ready(): MaybePromise<void> {
    if (this.#filled) return;
    this.#filling ??= Promise.resolve(this.#fill()).finally(() => {
      this.#filling = undefined;
    });
    if (this.#filled) return;
    return this.#filling;
  }

  #fill(): MaybePromise<void> {
    const result = this.#storage.range({ start: this.prefix, end: prefixEnd(this.prefix) });
    return result instanceof Promise ? result.then((one) => this.#begin(one)) : this.#begin(result);
  }

  #begin({ entries, revision }: RangeResult): MaybePromise<void> {
    this.#records.clear();
    const pairs: [string, CacheRecord][] = entries.map(({ key, value, revision: changed }) => [key, new CacheRecord(key, changed, value, this.#reader)]);
    for (const [key, record] of pairs) this.#records.set(key, record);
    this.#tree = createSortedMap<CacheRecord>();
    this.#tree.setPairs(pairs);
    this.#ring = new EventRing(revision, this.#options.eventBytes);
    let caughtUp: () => void = () => undefined;
    this.#watch = this.#storage.watch({
      start: this.prefix,
      end: prefixEnd(this.prefix),
      startRevision: revision + 1,
      onEvents: (events) => this.#apply(events),
      onProgress: () => caughtUp(),
      onEnd: () => this.#reset(),
    });
    const finish = () => {
      this.#filled = true;
      this.generation += 1;
    };
    // Changes made while the range was read arrive through the watch; the state is whole once it has caught up.
    if (revision >= this.#storage.revision) return finish();
    return new Promise((resolve) => {
      caughtUp = () => {
        caughtUp = () => undefined;
        finish();
        resolve();
      };
    });
  }

  /** The store's stream broke: everything is read again on next use, and watchers resume by themselves. */
  #reset(): void {
    this.#filled = false;
    this.#watch = undefined;
    for (const watcher of this.#watchers.all()) this.#end(watcher, undefined);
  }

  #apply(storeEvents: readonly StoreEvent[]): void {
    this.generation += 1;
    for (const one of storeEvents) {
      const event = this.#toEvent(one);
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

  #toEvent({ type, key, value, revision, previous }: StoreEvent): CacheEvent {
    const current = type === 'put' ? new CacheRecord(key, revision, value, this.#reader) : undefined;
    const known = this.#records.get(key);
    const before =
      previous === undefined
        ? undefined
        : known?.revision === previous.revision
          ? known
          : new CacheRecord(key, previous.revision, previous.value, this.#reader);
    return new CacheEvent(revision, key, current, before);
  }

  /** Revision of the state held here. */
  get revision(): number {
    return this.#storage.revision;
  }

  get(key: string): CacheRecord | undefined {
    return this.#records.get(key);
  }

  /** The present state; valid until the next change (no copy is made). */
  current(): Snapshot {
    return snapshotOf(this.#tree, this.revision);
  }

  /** A copy-on-write state that stays as it is while a caller streams it. */
  freeze(): Snapshot {
    return snapshotOf(this.#tree.clone(), this.revision);
  }

  /** Keeps the present state for the continue token that names its revision. */
  keepSnapshot(): number {
    const { revision } = this;
    if (!this.#snapshots.has(revision)) {
      this.#snapshots.set(revision, this.#tree.clone());
      if (this.#snapshots.size > SNAPSHOTS_KEPT) this.#snapshots.delete(this.#snapshots.keys().next().value!);
    }
    return revision;
  }

  /** The state kept for a continue token, if it is still here and the revision has not been compacted. */
  keptSnapshot(revision: number): Snapshot | undefined {
    if (revision < this.#storage.compactedRevision) {
      this.#snapshots.delete(revision);
      return undefined;
    }
    const tree = this.#snapshots.get(revision);
    return tree === undefined ? undefined : snapshotOf(tree, revision);
  }

  /**
   * Delivers every event after `revision` until the watch is closed.
   * A revision older than memory holds is read from the store's history; a compacted one ends the watch with CompactedError.
   */
  watch(scope: WatchScope, revision: number, sink: WatchSink): CacheWatch {
    const watcher = new Watcher(scope, sink, revision);
    this.#watchers.add(watcher);
    watcher.busy = true;
    void this.#catchUp(watcher);
    return {
      close: () => this.#remove(watcher),
      deliveredRevision: () => (watcher.busy || !this.#fanOut.idle ? watcher.position : Math.max(watcher.position, this.revision)),
    };
  }

  /** Ends every watch (the server stops). */
  endWatches(): void {
    for (const watcher of this.#watchers.all()) this.#end(watcher, undefined);
  }

  close(): void {
    this.endWatches();
    this.#watch?.close();
  }

  /** Brings a watcher to the present from the ring or the store's history, at the pace of its consumer; then it is live. */
  async #catchUp(watcher: Watcher): Promise<void> {
    try {
      for (;;) {
        if (watcher.closed) return;
        const events = this.#ring.after(watcher.position, CATCH_UP_BATCH) ?? (await this.#fromHistory(watcher));
        if (events.length === 0) {
          watcher.busy = false;
          return;
        }
        for (const event of events) {
          if (watcher.closed) return;
          if (!watcher.take(event)) await watcher.sink.drained();
        }
        for (const event of events) event.frames = undefined;
        // Other work goes on between batches.
        if (events.length === CATCH_UP_BATCH) await new Promise((resolve) => setImmediate(resolve));
      }
    } catch (error) {
      this.#end(watcher, error);
    }
  }

  async #fromHistory(watcher: Watcher): Promise<CacheEvent[]> {
    // A version whose state is gone is no version to go on from, even where the next change happens to be kept.
    if (watcher.position < this.#storage.compactedRevision) throw new CompactedError(watcher.position, this.#storage.compactedRevision);
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
  }
}

function snapshotOf(tree: Tree, revision: number): Snapshot {
  return {
    revision,
    size: tree.size,
    scan(start, end, visit) {
      tree.forRange(start, end, false, (_key, record) => (visit(record) === false ? { break: true } : undefined));
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
