import {
  type MaybePromise,
  prefixEnd,
  type RangeResult,
  type Storage,
  StorageUnavailableError,
  type StoreEvent,
  type StoreWatch,
} from '../storage/storage.ts';
import type { ProcessClock } from '../time/clock.ts';

/**
 * Back-off before the second and later attempts, in milliseconds; when all have failed, waiting callers get
 * an error.
 */
const RETRY_DELAYS = [50, 200, 800];
/** Timeout for the watch of one attempt to catch up, in milliseconds. */
const ATTEMPT_MILLISECONDS = 30_000;

/** Receiver of the state and its changes. */
export interface ReflectorTarget {
  /** Replaces the state. */
  reset(state: RangeResult): void;
  /** Applies changes after the state, in revision order; all changes of a revision are in one call. */
  apply(events: readonly StoreEvent[]): void;
  /** Every change up to `revision` has been applied. @param requested by {@link Reflector.requestProgress} */
  progress(revision: number, requested: boolean): void;
  /** The state is complete and up to date with the store's watch. */
  complete(): void;
  /**
   * The store's watch ended after {@link complete}. The next {@link Reflector.ready} fills the target again.
   */
  disconnected(error: Error): void;
}

/** The store's watch ended, or timed out, before it had caught up. */
class InterruptedFillError extends Error {}

/**
 * Lists a prefix of the store and watches it from there. An attempt whose watch ends before it has caught up
 * is retried with a new list, with back-off. After the last attempt, waiting callers get an error; the next
 * call starts again.
 */
export class Reflector {
  #watch: StoreWatch | undefined;
  #live = false;
  /** The store has not answered a request for progress of the watch. */
  #requested = false;
  #filling: Promise<void> | undefined;
  #closed = false;

  constructor(
    private readonly storage: Storage,
    private readonly prefix: string,
    private readonly clock: ProcessClock,
    private readonly target: ReflectorTarget,
  ) {}

  /** Whether the target is complete and up to date. */
  get live(): boolean {
    return this.#live;
  }

  /**
   * Fills the target; synchronous when it is complete.
   * @throws StorageUnavailableError when the store's watch ended in every attempt, and the errors of a range
   * read
   */
  ready(): MaybePromise<void> {
    if (this.#live) return;
    if (this.#filling) return this.#filling;
    const first = this.#attempt();
    if (this.#live) return;
    this.#filling = this.#retry(first).finally(() => {
      this.#filling = undefined;
    });
    return this.#filling;
  }

  /** Asks the store for progress; false if a request is outstanding. */
  requestProgress(): boolean {
    if (this.#requested || this.#watch === undefined) return false;
    this.#requested = true;
    this.#watch.requestProgress();
    return true;
  }

  close(): void {
    this.#closed = true;
    this.#live = false;
    this.#watch?.close();
    this.#watch = undefined;
  }

  async #retry(first: MaybePromise<void>): Promise<void> {
    let attempt = first;
    for (const delay of [...RETRY_DELAYS, undefined]) {
      try {
        return await attempt;
      } catch (error) {
        if (!(error instanceof InterruptedFillError)) throw error;
        if (this.#closed || delay === undefined) throw unavailable(this.prefix, error);
        await new Promise<void>((resolve) => this.clock.after(delay, resolve));
        attempt = this.#attempt();
      }
    }
  }

  /** Lists and watches; resolves when the watch has caught up. A failure is always a rejection. */
  #attempt(): MaybePromise<void> {
    try {
      const result = this.storage.range({ start: this.prefix, end: prefixEnd(this.prefix) });
      return result instanceof Promise ? result.then((state) => this.#follow(state)) : this.#follow(result);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #follow(state: RangeResult): MaybePromise<void> {
    if (this.#closed) return Promise.reject(new InterruptedFillError('the cache is closed'));
    this.target.reset(state);
    let over = false;
    let caughtUp: () => void = () => undefined;
    let interrupted: (error: Error) => void = () => undefined;
    const watch = this.storage.watch({
      start: this.prefix,
      end: prefixEnd(this.prefix),
      startRevision: state.revision + 1,
      onEvents: (events) => {
        if (!over) this.target.apply(events);
      },
      onProgress: (revision, requested) => {
        if (over) return;
        if (requested) this.#requested = false;
        this.target.progress(revision, requested);
        caughtUp();
      },
      onEnd: (error) => {
        if (over) return;
        over = true;
        interrupted(error);
        if (this.#watch !== watch) return;
        this.#watch = undefined;
        if (!this.#live) return;
        this.#live = false;
        this.target.disconnected(error);
      },
    });
    this.#watch = watch;
    this.#requested = false;
    const complete = () => {
      this.#live = true;
      this.target.complete();
    };
    // Changes made during the range read arrive through the watch; the state is complete once it has caught
    // up.
    const { immediate } = this.storage;
    if (immediate !== undefined && state.revision >= immediate.revision) return complete();
    return new Promise((resolve, reject) => {
      const stop = this.clock.after(ATTEMPT_MILLISECONDS, () => {
        over = true;
        watch.close();
        interrupted(new Error(`it has not caught up for ${ATTEMPT_MILLISECONDS / 1000} s`));
      });
      const settle = (then: () => void) => {
        stop();
        caughtUp = () => undefined;
        interrupted = () => undefined;
        then();
      };
      caughtUp = () => {
        if (over) return;
        settle(complete);
        resolve();
      };
      interrupted = (error) => settle(() => reject(new InterruptedFillError(error.message)));
      this.requestProgress();
    });
  }
}

function unavailable(prefix: string, { message }: Error): StorageUnavailableError {
  return new StorageUnavailableError(
    `the cache of ${prefix} cannot be filled: the watch of the store ended (${message}); try again later`,
  );
}
