import { processClock } from '../time/clock.ts';
import type { CacheEvent } from './record.ts';
import type { Watcher } from './watcher.ts';

const SLICE_MILLISECONDS = 4;
/** Used while more than a quarter of the capacity is queued: delivery then takes precedence over writers. */
const LONG_SLICE_MILLISECONDS = 16;
const DELIVERIES_BETWEEN_CLOCK_READS = 32;

export interface FanOutOptions {
  /** Watchers that an event may concern. */
  readonly watchersOf: (event: CacheEvent) => Watcher[];
  /** Called when the consumer of a watcher was full and can accept more. */
  readonly needsCatchUp: (watcher: Watcher) => void;
  /** Called when an event cannot be delivered to a watcher; the others continue. */
  readonly onError: (watcher: Watcher, error: unknown) => void;
  /**
   * Called when the queue exceeds its capacity: every live watcher has received the events before `revision`
   * and must catch up from there.
   */
  readonly onOverflow: (revision: number) => void;
  /** Maximum bytes of queued events. */
  readonly capacity: number;
}

/**
 * Delivers events to live watchers in revision order, in slices between which it yields to the event loop.
 * The queue is bounded: when it overflows, it is dropped and all watchers catch up.
 */
export class FanOut {
  readonly #queue: CacheEvent[] = [];
  #bytes = 0;
  #scheduled = false;
  #watchers: Watcher[] | undefined;
  #next = 0;

  constructor(private readonly options: FanOutOptions) {}

  /** Whether every event has been delivered to its live watchers. */
  get idle(): boolean {
    return !this.#scheduled;
  }

  /** Bytes of the queued events. */
  get bytes(): number {
    return this.#bytes;
  }

  push(event: CacheEvent): void {
    this.#queue.push(event);
    this.#bytes += event.bytes;
    if (this.#bytes > this.options.capacity && this.#queue.length > 1) this.#overflow();
    if (!this.#scheduled) {
      this.#scheduled = true;
      processClock.soon(() => this.#run());
    }
  }

  /** Drops the queue. The watchers read these events from the recent events or from the store's history. */
  #overflow(): void {
    const first = this.#queue[0]!.revision;
    for (const event of this.#queue) event.frames = undefined;
    this.#queue.length = 0;
    this.#bytes = 0;
    this.#watchers = undefined;
    this.#next = 0;
    this.options.onOverflow(first);
  }

  #run(): void {
    const slice = this.#bytes > this.options.capacity / 4 ? LONG_SLICE_MILLISECONDS : SLICE_MILLISECONDS;
    const deadline = processClock.monotonic() + slice;
    let done = 0;
    let head = 0;
    for (; head < this.#queue.length; head += 1) {
      const event = this.#queue[head]!;
      this.#watchers ??= this.options.watchersOf(event);
      for (; this.#next < this.#watchers.length; this.#next += 1) {
        if (done >= DELIVERIES_BETWEEN_CLOCK_READS && processClock.monotonic() > deadline) {
          this.#queue.splice(0, head);
          processClock.soon(() => this.#run());
          return;
        }
        if (done >= DELIVERIES_BETWEEN_CLOCK_READS) done = 0;
        done += 1;
        this.#deliver(this.#watchers[this.#next]!, event);
      }
      this.#watchers = undefined;
      this.#next = 0;
      this.#bytes -= event.bytes;
      event.frames = undefined;
    }
    this.#queue.length = 0;
    this.#bytes = 0;
    this.#scheduled = false;
  }

  #deliver(watcher: Watcher, event: CacheEvent): void {
    // A watcher that is catching up reads the event from the recent events; one that joined later has already
    // seen it.
    if (watcher.closed || watcher.busy || watcher.position >= event.revision) return;
    watcher.skipTo(event.revision);
    try {
      if (watcher.deliver(event)) return;
    } catch (error) {
      this.options.onError(watcher, error);
      return;
    }
    watcher.busy = true;
    watcher.sink.drained().then(
      () => this.options.needsCatchUp(watcher),
      () => undefined,
    );
  }
}
