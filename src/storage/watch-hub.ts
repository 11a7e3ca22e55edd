import { type ProcessClock, processClock } from '../time/clock.ts';
import { contains, RangeIndex } from './range-index.ts';
import { CompactedError, type StoreEvent, type StoreWatch, type WatchOptions } from './storage.ts';

/** A slice of history, in revision order. */
export interface HistorySlice {
  readonly events: readonly StoreEvent[];
  /** First revision after the slice. */
  readonly next: number;
}

export interface WatchHubOptions {
  readonly clock: ProcessClock;
  readonly revision: number;
  /** Reads a bounded slice of history from `from` to `to`, both inclusive. */
  readonly history: (from: number, to: number) => HistorySlice;
  readonly compactedRevision: () => number;
  /** History cannot be read before this resolves. */
  readonly reopening?: () => Promise<void> | undefined;
  /** Minimum milliseconds between two progress calls of one watch. */
  readonly progressInterval?: number;
}

/** One watch. `next` is the first revision that has not been delivered. */
interface Watcher {
  readonly start: string;
  readonly end: string;
  readonly options: WatchOptions;
  next: number;
  closed: boolean;
  /** A request for progress has not been answered. */
  requested: boolean;
  /** Events of the current publication. */
  batch: StoreEvent[] | undefined;
}

/**
 * Delivers durable changes to watches in revision order. A watch from an older revision first reads history
 * in slices, yielding between them, and becomes live in the same turn in which it has caught up: no gap, no
 * duplicate. Live delivery is synchronous and needs no queue.
 */
export class WatchHub {
  #revision: number;
  #progressCancel: (() => void) | undefined;
  #progressRevision: number;
  #lastProgress = Number.NEGATIVE_INFINITY;
  readonly #live = new RangeIndex<Watcher>();
  readonly #behind = new Set<Watcher>();
  readonly #progressInterval: number;

  constructor(private readonly options: WatchHubOptions) {
    this.#revision = options.revision;
    this.#progressRevision = options.revision;
    this.#progressInterval = options.progressInterval ?? 100;
  }

  /** Newest published revision. */
  get revision(): number {
    return this.#revision;
  }

  watch(options: WatchOptions): StoreWatch {
    const watcher: Watcher = {
      start: options.start,
      end: options.end,
      options,
      next: options.startRevision ? options.startRevision : this.#revision + 1,
      closed: false,
      requested: false,
      batch: undefined,
    };
    if (watcher.next > this.#revision) this.#live.add(watcher);
    else {
      this.#behind.add(watcher);
      queueMicrotask(() => this.#catchUp(watcher));
    }
    return {
      close: () => this.#drop(watcher),
      requestProgress: () => {
        if (watcher.requested) return;
        watcher.requested = true;
        // A watch that is behind reports progress once it has caught up.
        if (!this.#behind.has(watcher)) queueMicrotask(() => this.#reportProgress(watcher));
      },
    };
  }

  /**
   * Publishes the events of one commit, in revision order; `revision` is the newest revision of the commit.
   */
  publish(events: readonly StoreEvent[], revision: number): void {
    this.#revision = revision;
    if (this.#live.size === 0) return;
    const touched: Watcher[] = [];
    for (const event of events) {
      this.#live.forEachContaining(event.key, (watcher) => {
        if (event.revision < watcher.next) return;
        if (watcher.batch) watcher.batch.push(event);
        else {
          watcher.batch = [event];
          touched.push(watcher);
        }
      });
    }
    for (const watcher of touched) {
      const batch = watcher.batch!;
      watcher.batch = undefined;
      this.#deliver(watcher, batch, revision + 1);
    }
    if (this.#live.size > touched.length) this.#scheduleProgress();
  }

  /** Ends every watch, e.g. when the store closes. */
  end(error: Error): void {
    this.#progressCancel?.();
    this.#progressCancel = undefined;
    for (const watcher of [...this.#behind, ...this.#live.all()]) this.#end(watcher, error);
  }

  /** Ends every watch; those to come are of another history, whose newest revision is higher. */
  restart(revision: number, error: Error): void {
    this.#revision = revision;
    this.#progressRevision = revision;
    this.end(error);
  }

  #catchUp(watcher: Watcher): void {
    if (watcher.closed) return;
    const reopening = this.options.reopening?.();
    if (reopening) {
      void reopening.then(() => this.#catchUp(watcher));
      return;
    }
    const compacted = this.options.compactedRevision();
    if (watcher.next < compacted) {
      this.#end(watcher, new CompactedError(watcher.next, compacted));
      return;
    }
    try {
      const slice = this.options.history(watcher.next, this.#revision);
      const events = slice.events.filter((event) => contains(watcher, event.key));
      this.#deliver(watcher, events, slice.next);
    } catch (error) {
      this.#end(watcher, error as Error);
    }
    if (watcher.closed) return;
    if (watcher.next <= this.#revision) {
      processClock.soon(() => this.#catchUp(watcher));
      return;
    }
    this.#behind.delete(watcher);
    this.#live.add(watcher);
    this.#reportProgress(watcher);
  }

  /** Reports progress of a live watch. */
  #reportProgress(watcher: Watcher): void {
    if (watcher.closed) return;
    const { requested } = watcher;
    watcher.requested = false;
    watcher.next = Math.max(watcher.next, this.#revision + 1);
    watcher.options.onProgress?.(this.#revision, requested);
  }

  #deliver(watcher: Watcher, events: readonly StoreEvent[], next: number): void {
    if (watcher.closed) return;
    watcher.next = next;
    if (events.length === 0) return;
    try {
      watcher.options.onEvents(events);
    } catch (error) {
      this.#end(watcher, error as Error);
    }
  }

  #scheduleProgress(): void {
    if (this.#progressCancel) return;
    const wait = this.#lastProgress + this.#progressInterval - this.options.clock.monotonic();
    if (wait <= 0) this.#sendProgress();
    else this.#progressCancel = this.options.clock.after(wait, () => this.#sendProgress());
  }

  /** Sends progress to every watch without events since the last progress. */
  #sendProgress(): void {
    this.#progressCancel = undefined;
    this.#lastProgress = this.options.clock.monotonic();
    const revision = this.#revision;
    const since = this.#progressRevision;
    this.#progressRevision = revision;
    if (revision === since) return;
    for (const watcher of this.#live.all()) {
      if (watcher.closed || watcher.next > revision) continue;
      watcher.next = revision + 1;
      watcher.options.onProgress?.(revision, false);
    }
  }

  #end(watcher: Watcher, error: Error): void {
    if (watcher.closed) return;
    this.#drop(watcher);
    watcher.options.onEnd(error);
  }

  #drop(watcher: Watcher): void {
    if (watcher.closed) return;
    watcher.closed = true;
    if (!this.#behind.delete(watcher)) this.#live.remove(watcher);
  }
}
