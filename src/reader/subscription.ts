import { backOff } from '../time/back-off.ts';
import { type ProcessClock, processClock } from '../time/clock.ts';
import { yieldToEventLoop } from '../time/event-loop.ts';
import type { ReadObject } from './read-object.ts';
import { isSliceOver } from './slices.ts';

/** Most changes that are repeated at once. */
const MOST_RETRIES = 256;

/** Receives the objects of a reader: the present ones as added, then every change in order. */
export interface Subscriber {
  /**
   * One object was added, updated or deleted (`current` is undefined). If it throws, it is called again for
   * this object with back-off, and does not count as synced before it returns.
   * @param key `namespace/name`, or the name alone of a cluster-scoped object
   */
  changed(key: string, current: ReadObject | undefined, previous: ReadObject | undefined): void;
  /** What `changed` threw. */
  failed?(error: unknown): void;
}

/** What a subscription needs of its reader. */
export interface SubscribedReader {
  /** All objects by cache key, in the order in which the reader first knew them; follows changes. */
  readonly objects: ReadonlyMap<string, ReadObject>;
  readonly clock: Pick<ProcessClock, 'after'>;
  /** The key for subscribers. */
  keyOf(cacheKey: string): string;
  unsubscribe(subscription: Subscription): void;
}

/** One subscriber of a reader: what it has seen, and what it is still to see. */
export class Subscription {
  readonly #reader: SubscribedReader;
  readonly #subscriber: Subscriber;
  /** The order of the last object that it was told of; infinite once it knows all of them. */
  #progress = 0;
  /** Objects whose change the subscriber has not taken, with the state that it knows; by cache key. */
  readonly #missed = new Map<string, ReadObject | undefined>();
  #failures = 0;
  #cancelRetry: (() => void) | undefined;
  #listed = false;
  #stopped = false;
  #synced!: () => void;
  /** Resolves when the subscriber knows all objects, or when the subscription has ended. */
  readonly synced = new Promise<void>((resolve) => {
    this.#synced = resolve;
  });

  constructor(reader: SubscribedReader, subscriber: Subscriber) {
    this.#reader = reader;
    this.#subscriber = subscriber;
    void Promise.resolve().then(() => this.#catchUp());
  }

  /** Ends the subscription: the subscriber is not called any more. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#cancelRetry?.();
    this.#missed.clear();
    this.#reader.unsubscribe(this);
    this.#synced();
  }

  /** The reader has listed all objects. */
  listed(): void {
    this.#listed = true;
    this.#settle();
  }

  /** An object has changed. The present state of one that the subscriber does not know yet is told later. */
  notify(cacheKey: string, current: ReadObject | undefined, previous: ReadObject | undefined): void {
    const { order } = (current ?? previous)!;
    if (order <= this.#progress) this.#deliver(cacheKey, current, previous);
  }

  /** Tells of all present objects, in turns with everything else that the process does. */
  async #catchUp(): Promise<void> {
    let slice = processClock.monotonic();
    for (const [cacheKey, object] of this.#reader.objects) {
      if (this.#stopped) return;
      this.#progress = object.order;
      this.#deliver(cacheKey, object, undefined);
      object.release();
      if (!isSliceOver(slice)) continue;
      await yieldToEventLoop();
      slice = processClock.monotonic();
    }
    this.#progress = Number.POSITIVE_INFINITY;
    this.#settle();
  }

  #deliver(cacheKey: string, current: ReadObject | undefined, previous: ReadObject | undefined): void {
    if (this.#stopped) return;
    const before = this.#missed.has(cacheKey) ? this.#missed.get(cacheKey) : previous;
    try {
      if (current !== before) this.#subscriber.changed(this.#reader.keyOf(cacheKey), current, before);
      if (this.#missed.delete(cacheKey)) this.#settle();
    } catch (error) {
      if (this.#stopped) return;
      // At the end: others are repeated first.
      this.#missed.delete(cacheKey);
      this.#missed.set(cacheKey, before);
      this.#subscriber.failed?.(error);
      this.#retryLater();
    }
  }

  #retryLater(): void {
    if (this.#cancelRetry !== undefined) return;
    this.#failures += 1;
    this.#cancelRetry = this.#reader.clock.after(backOff(this.#failures), () => {
      this.#cancelRetry = undefined;
      for (const cacheKey of [...this.#missed.keys()].slice(0, MOST_RETRIES)) {
        const object = this.#reader.objects.get(cacheKey);
        this.#deliver(cacheKey, object, undefined);
        object?.release();
      }
      if (this.#missed.size === 0) this.#failures = 0;
      else this.#retryLater();
      this.#settle();
    });
  }

  #settle(): void {
    if (this.#listed && this.#progress === Number.POSITIVE_INFINITY && this.#missed.size === 0)
      this.#synced();
  }
}
