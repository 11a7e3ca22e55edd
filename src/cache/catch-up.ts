import { processClock } from '../time/clock.ts';
import type { CacheEvent } from './record.ts';
import { SharedFrames } from './shared-frames.ts';
import type { Watcher } from './watcher.ts';

const SLICE_MILLISECONDS = 8;
const BATCH = 64;
/** Maximum concurrent reads of the store's history: each needs about 1 MB. */
const MOST_READS = 4;

export interface EventSource {
  /** Up to `limit` events after `revision`, or undefined when some of them are no longer in memory. */
  recent(revision: number, limit: number): CacheEvent[] | undefined;
  /** Events after the watcher's position from the store's history; without events, advances the position. */
  past(watcher: Watcher): Promise<readonly CacheEvent[]>;
  /** Ends a watcher that cannot continue. */
  end(watcher: Watcher, error: unknown): void;
}

/**
 * Brings watchers up to date at the pace of their consumers: round robin with a few events each, in slices
 * between which it yields to the event loop. A watcher with a full consumer buffers no events; it reads them
 * again from its position.
 */
export class CatchUp {
  readonly #ready = new Set<Watcher>();
  /** Watchers waiting for a free history read. */
  readonly #waiting = new Set<Watcher>();
  readonly #frames = new SharedFrames();
  #reads = 0;
  #scheduled = false;

  constructor(private readonly source: EventSource) {}

  /** Adds a new watcher. It is live on return when it is already up to date. */
  join(watcher: Watcher): void {
    watcher.busy = true;
    this.#step(watcher, processClock.monotonic() + SLICE_MILLISECONDS / 4);
  }

  /** Adds a watcher that fell behind. */
  add(watcher: Watcher): void {
    watcher.busy = true;
    this.#ready.add(watcher);
    this.#schedule();
  }

  /** Removes a closed watcher. */
  remove(watcher: Watcher): void {
    this.#ready.delete(watcher);
    this.#waiting.delete(watcher);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    processClock.soon(() => this.#run());
  }

  #run(): void {
    this.#scheduled = false;
    const deadline = processClock.monotonic() + SLICE_MILLISECONDS;
    // A watcher that is added again gets another turn within the slice.
    for (const watcher of this.#ready) {
      this.#ready.delete(watcher);
      this.#step(watcher, deadline);
      if (processClock.monotonic() > deadline) break;
    }
    if (this.#ready.size > 0) this.#schedule();
    else this.#frames.clear();
  }

  #step(watcher: Watcher, deadline: number): void {
    if (watcher.closed) return;
    try {
      const events = this.source.recent(watcher.position, BATCH);
      if (events === undefined) this.#read(watcher);
      else if (events.length === 0) watcher.busy = false;
      else this.#deliver(watcher, events, deadline);
    } catch (error) {
      this.source.end(watcher, error);
    }
  }

  #deliver(watcher: Watcher, events: readonly CacheEvent[], deadline: number): void {
    for (const event of events) {
      if (watcher.closed) return;
      const more = watcher.deliver(event);
      if (event.frames !== undefined) this.#frames.keep(event);
      if (!more) {
        watcher.sink.drained().then(
          () => this.add(watcher),
          (error: unknown) => this.source.end(watcher, error),
        );
        return;
      }
      if (processClock.monotonic() > deadline) break;
    }
    this.add(watcher);
  }

  #read(watcher: Watcher): void {
    if (this.#reads >= MOST_READS) {
      this.#waiting.add(watcher);
      return;
    }
    this.#reads += 1;
    void this.#readPast(watcher).finally(() => {
      this.#reads -= 1;
      for (const next of this.#waiting) {
        this.#waiting.delete(next);
        this.add(next);
        return;
      }
    });
  }

  async #readPast(watcher: Watcher): Promise<void> {
    try {
      const events = await this.source.past(watcher);
      if (watcher.closed) return;
      if (events.length === 0) this.add(watcher);
      else this.#deliver(watcher, events, processClock.monotonic() + SLICE_MILLISECONDS / 2);
    } catch (error) {
      this.source.end(watcher, error);
    }
  }
}
