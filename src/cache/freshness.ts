import { errors } from '../status/index.ts';
import {
  type ImmediateState,
  type MaybePromise,
  prefixEnd,
  type Storage,
  StorageUnavailableError,
} from '../storage/storage.ts';
import type { ProcessClock } from '../time/clock.ts';

/** How long a read waits by default, in milliseconds; kube-apiserver's bound. */
const WAIT_MILLISECONDS = 3000;
/** Delay before progress is requested again, if the last answer was not new enough. */
const PROGRESS_PAUSE_MILLISECONDS = 100;

/** The store's watch that fills the cache. */
export interface FreshnessSource {
  /** Fills the cache; undefined if it follows the store. */
  ready(): MaybePromise<void>;
  /** Asks the store for progress; false if a request is outstanding. */
  requestProgress(): boolean;
  /** Number of cached keys. */
  size(): number;
}

interface Waiter {
  readonly revision: number;
  readonly resolve: () => void;
}

/**
 * The revision of a cache, and the reads that wait for it. With a store that applies changes at once, the
 * revision is the store's; otherwise events and progress of the store's watch advance it.
 */
export class Freshness {
  readonly #storage: Storage;
  readonly #prefix: string;
  readonly #source: FreshnessSource;
  readonly #clock: ProcessClock;
  readonly #waiters = new Set<Waiter>();
  #applied = 0;
  /** A read began to wait after progress was last requested. */
  #requestsAgain = false;
  #cancelPause: (() => void) | undefined;
  #barrier: Promise<number> | undefined;
  #sentBarrier: Promise<unknown> | undefined;

  constructor(storage: Storage, prefix: string, source: FreshnessSource, clock: ProcessClock) {
    this.#storage = storage;
    this.#prefix = prefix;
    this.#source = source;
    this.#clock = clock;
  }

  /** Read each time: encryption by a key service makes a store lag. */
  get #immediate(): ImmediateState | undefined {
    return this.#storage.immediate;
  }

  /** Revision of the cached state. */
  get revision(): number {
    return this.#immediate?.revision ?? this.#applied;
  }

  /** Everything up to `revision` has been applied. */
  advance(revision: number): void {
    if (revision > this.#applied) this.#applied = revision;
    if (this.#waiters.size === 0) return;
    const { revision: reached } = this;
    for (const waiter of this.#waiters) if (waiter.revision <= reached) this.#wake(waiter);
  }

  /** The answer to a request for progress has been applied. */
  progressed(): void {
    if (this.#waiters.size === 0) return;
    const untrusted = this.#storage.untrustedProgress === true;
    if (this.#requestsAgain && !untrusted) {
      this.#requestProgress();
      return;
    }
    this.#cancelPause ??= this.#clock.after(PROGRESS_PAUSE_MILLISECONDS, () => {
      this.#cancelPause = undefined;
      // Each waiting read compares its state with the store again.
      if (untrusted) this.disconnected();
      else if (this.#waiters.size > 0) this.#requestProgress();
    });
  }

  /** The store's watch ended: waiting reads fill the cache again. */
  disconnected(): void {
    for (const waiter of this.#waiters) this.#wake(waiter);
  }

  close(): void {
    this.#cancelPause?.();
    this.disconnected();
  }

  /** Waits until the cache is as new as `revision`, or as the store was at the call. */
  wait(revision: number | 'latest', milliseconds = WAIT_MILLISECONDS): MaybePromise<void> {
    const ready = this.#source.ready();
    if (ready === undefined && this.#has(revision)) return undefined;
    return this.#wait(ready, revision, this.#clock.monotonic() + milliseconds);
  }

  #has(revision: number | 'latest'): boolean {
    return revision === 'latest' ? this.#immediate !== undefined : revision <= this.revision;
  }

  async #wait(ready: MaybePromise<void>, revision: number | 'latest', deadline: number): Promise<void> {
    await ready;
    if (this.#has(revision)) return;
    const target = revision === 'latest' ? await this.#latest(deadline) : revision;
    for (;;) {
      const filling = this.#source.ready();
      if (filling !== undefined) await filling;
      else if (this.revision >= target || (await this.#matches(target))) return;
      else await this.#reached(target, deadline);
    }
  }

  /**
   * Whether the cached state is also that of the store at `target` or later, for a store whose watches cannot report
   * progress: nothing was written after the cached revision, and as many keys exist, so none was deleted.
   */
  async #matches(target: number): Promise<boolean> {
    const storage = this.#storage;
    if (!storage.untrustedProgress || storage.changesSince === undefined) return false;
    const known = this.revision;
    const end = prefixEnd(this.#prefix);
    const { written, count, revision } = await storage.changesSince(this.#prefix, end, known);
    return !written && revision >= target && this.revision === known && this.#source.size() === count;
  }

  /** Resolves when the cache may have reached `target`. */
  #reached(target: number, deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        revision: target,
        resolve: () => {
          cancel();
          resolve();
        },
      };
      const cancel = this.#clock.after(deadline - this.#clock.monotonic(), () => {
        this.#waiters.delete(waiter);
        reject(errors.resourceVersionTooLarge(target, this.revision));
      });
      this.#waiters.add(waiter);
      this.#requestsAgain = true;
      this.#requestProgress();
    });
  }

  #wake(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    waiter.resolve();
  }

  #requestProgress(): void {
    if (this.#source.requestProgress()) this.#requestsAgain = false;
  }

  /** The store's current revision, read once for all reads that began to wait before it was sent. */
  #latest(deadline: number): Promise<number> {
    this.#barrier ??= this.#sendBarrier();
    return this.#within(this.#barrier, deadline);
  }

  /** Reads with one barrier at a time: reads that arrive meanwhile share the next one. */
  async #sendBarrier(): Promise<number> {
    // An earlier barrier's failure is that of its own reads.
    await this.#sentBarrier?.catch(() => undefined);
    this.#barrier = undefined;
    const sent = (async () =>
      this.#storage.range({
        start: this.#prefix,
        end: prefixEnd(this.#prefix),
        limit: 1,
        keysOnly: true,
        uncounted: true,
      }))();
    this.#sentBarrier = sent;
    return (await sent).revision;
  }

  #within<T>(promise: Promise<T>, deadline: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(deadline - this.#clock.monotonic(), () =>
        reject(new StorageUnavailableError('the store does not answer; try again later')),
      );
      promise.then(
        (value) => {
          cancel();
          resolve(value);
        },
        (error: unknown) => {
          cancel();
          reject(error);
        },
      );
    });
  }
}
