import type { CacheEvent } from './record.ts';
import type { Watcher } from './watcher.ts';

const SLICE_MILLISECONDS = 4;
const DELIVERIES_BETWEEN_CLOCK_READS = 32;

/** Hands events to live watchers, in revision order, in slices between which the loop does other work. */
export class FanOut {
  readonly #queue: CacheEvent[] = [];
  #scheduled = false;
  #watchers: Watcher[] | undefined;
  #next = 0;

  /**
   * @param watchersOf who may be concerned by an event
   * @param fallBehind called for a watcher whose consumer is full
   * @param fail called for a watcher that an event cannot be shown to; the others go on
   */
  constructor(
    private readonly watchersOf: (event: CacheEvent) => Watcher[],
    private readonly fallBehind: (watcher: Watcher) => void,
    private readonly fail: (watcher: Watcher, error: unknown) => void,
  ) {}

  /** Every event has been handed to its live watchers. */
  get idle(): boolean {
    return !this.#scheduled;
  }

  push(event: CacheEvent): void {
    this.#queue.push(event);
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => this.#run());
    }
  }

  #run(): void {
    const deadline = performance.now() + SLICE_MILLISECONDS;
    let done = 0;
    let head = 0;
    for (; head < this.#queue.length; head += 1) {
      const event = this.#queue[head]!;
      this.#watchers ??= this.watchersOf(event);
      for (; this.#next < this.#watchers.length; this.#next += 1) {
        if (done >= DELIVERIES_BETWEEN_CLOCK_READS && performance.now() > deadline) {
          this.#queue.splice(0, head);
          setImmediate(() => this.#run());
          return;
        }
        if (done >= DELIVERIES_BETWEEN_CLOCK_READS) done = 0;
        done += 1;
        this.#give(this.#watchers[this.#next]!, event);
      }
      this.#watchers = undefined;
      this.#next = 0;
      event.frames = undefined;
    }
    this.#queue.length = 0;
    this.#scheduled = false;
  }

  #give(watcher: Watcher, event: CacheEvent): void {
    // One that catches up by itself finds the event in the ring; one that came later has seen it already.
    if (watcher.closed || watcher.busy || watcher.position >= event.revision) return;
    try {
      if (watcher.take(event)) return;
    } catch (error) {
      this.fail(watcher, error);
      return;
    }
    watcher.busy = true;
    watcher.sink.drained().then(
      () => this.fallBehind(watcher),
      () => undefined,
    );
  }
}
