import type { CacheEvent } from './record.ts';
import type { Watcher } from './watcher.ts';

const SLICE_MILLISECONDS = 4;
/** While more than a quarter of the bound waits: watchers then get more of the loop than those who write. */
const LONG_SLICE_MILLISECONDS = 16;
const DELIVERIES_BETWEEN_CLOCK_READS = 32;

export interface FanOutOptions {
  /** Who may be concerned by an event. */
  readonly watchersOf: (event: CacheEvent) => Watcher[];
  /** Called for a watcher whose consumer was full and wants more now. */
  readonly needsCatchUp: (watcher: Watcher) => void;
  /** Called for a watcher that an event cannot be shown to; the others go on. */
  readonly onError: (watcher: Watcher, error: unknown) => void;
  /**
   * More events wait than may: every live watcher has what came before `revision`, and must catch up by
   * itself from there.
   */
  readonly onOverflow: (revision: number) => void;
  /** Most bytes of events that wait. */
  readonly capacity: number;
}

/**
 * Hands events to live watchers, in revision order, in slices between which the loop does other work. Events
 * that come faster than they can be handed out are not queued without bound: at the bound all watchers catch
 * up by themselves.
 */
export class FanOut {
  readonly #queue: CacheEvent[] = [];
  #bytes = 0;
  #scheduled = false;
  #watchers: Watcher[] | undefined;
  #next = 0;

  constructor(private readonly options: FanOutOptions) {}

  /** Every event has been handed to its live watchers. */
  get idle(): boolean {
    return !this.#scheduled;
  }

  /** Bytes of the events that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  push(event: CacheEvent): void {
    this.#queue.push(event);
    this.#bytes += event.bytes;
    if (this.#bytes > this.options.capacity && this.#queue.length > 1) this.#overflow();
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => this.#run());
    }
  }

  /** Drops what waits. The watchers find it in the recent events or in the store's history. */
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
    const deadline = performance.now() + slice;
    let done = 0;
    let head = 0;
    for (; head < this.#queue.length; head += 1) {
      const event = this.#queue[head]!;
      this.#watchers ??= this.options.watchersOf(event);
      for (; this.#next < this.#watchers.length; this.#next += 1) {
        if (done >= DELIVERIES_BETWEEN_CLOCK_READS && performance.now() > deadline) {
          this.#queue.splice(0, head);
          setImmediate(() => this.#run());
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
    // One that catches up by itself finds the event in the ring; one that came later has seen it already.
    if (watcher.closed || watcher.busy || watcher.position >= event.revision) return;
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
