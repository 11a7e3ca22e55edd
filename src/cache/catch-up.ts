import type { CacheEvent } from './record.ts';
import { SharedFrames } from './shared-frames.ts';
import type { Watcher } from './watcher.ts';

const SLICE_MILLISECONDS = 8;
const BATCH = 64;
/** Reads of the store's history under way at once: each holds about 1 MB. */
const MOST_READS = 4;

export interface EventSource {
  /** Up to `limit` events after `revision`, or undefined when memory does not hold all of them. */
  recent(revision: number, limit: number): CacheEvent[] | undefined;
  /**
   * Events after the watcher's position from the store's history; when there are none, its position is moved
   * on.
   */
  past(watcher: Watcher): Promise<CacheEvent[]>;
  /** Ends a watcher that cannot go on. */
  end(watcher: Watcher, error: unknown): void;
}

/**
 * Brings watchers to the present at the pace of their consumers, in turns: a few events each, in slices
 * between which the loop does other work. A watcher whose consumer is full holds no events; it reads them
 * again from its position.
 */
export class CatchUp {
  readonly #ready = new Set<Watcher>();
  /** Wait until fewer reads of history are under way. */
  readonly #waiting = new Set<Watcher>();
  readonly #frames = new SharedFrames();
  #reads = 0;
  #scheduled = false;

  constructor(private readonly source: EventSource) {}

  /** A new watcher: one that has nothing to catch up with is live when this returns. */
  join(watcher: Watcher): void {
    watcher.busy = true;
    this.#step(watcher, performance.now() + SLICE_MILLISECONDS / 4);
  }

  /** A watcher that fell behind. */
  add(watcher: Watcher): void {
    watcher.busy = true;
    this.#ready.add(watcher);
    this.#schedule();
  }

  /** Forgets a watcher that is closed. */
  remove(watcher: Watcher): void {
    this.#ready.delete(watcher);
    this.#waiting.delete(watcher);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#scheduled = false;
    const deadline = performance.now() + SLICE_MILLISECONDS;
    // A watcher that is added again comes round again within the slice.
    for (const watcher of this.#ready) {
      this.#ready.delete(watcher);
      this.#step(watcher, deadline);
      if (performance.now() > deadline) break;
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
      if (performance.now() > deadline) break;
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
      else this.#deliver(watcher, events, performance.now() + SLICE_MILLISECONDS / 2);
    } catch (error) {
      this.source.end(watcher, error);
    }
  }
}
