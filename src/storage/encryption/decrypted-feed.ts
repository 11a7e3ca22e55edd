import {
  type MaybePromise,
  StorageUnavailableError,
  type StoreEvent,
  type WatchOptions,
} from '../storage.ts';

/** Most events that wait for a key service; a watch that falls further behind ends. */
const MOST_WAITING = 10_000;

/**
 * Decrypts the events of one watch and delivers them in order. It is synchronous as long as decryption is;
 * events, progress and the end that arrive while an event waits for its key are delivered after it.
 */
export class DecryptedFeed {
  readonly #options: WatchOptions;
  readonly #decrypt: (event: StoreEvent) => MaybePromise<StoreEvent>;
  /** The calls that wait; undefined when none does. */
  #queue: (() => MaybePromise<void>)[] | undefined;
  #waiting = 0;
  #closed = false;
  #stop: () => void = () => undefined;

  constructor(options: WatchOptions, decrypt: (event: StoreEvent) => MaybePromise<StoreEvent>) {
    this.#options = options;
    this.#decrypt = decrypt;
  }

  /** @param stop ends the watch of the store */
  set stop(stop: () => void) {
    this.#stop = stop;
    if (this.#closed) stop();
  }

  close(): void {
    this.#closed = true;
    this.#queue = undefined;
    this.#stop();
  }

  /** Ends the watch at once; events that wait are not delivered. */
  fail(error: Error): void {
    if (this.#closed) return;
    this.close();
    this.#options.onEnd(error);
  }

  events(events: readonly StoreEvent[]): void {
    this.#waiting += events.length;
    if (this.#waiting > MOST_WAITING && this.#queue !== undefined) {
      this.fail(new StorageUnavailableError('decryption does not keep up with changes of the store'));
      return;
    }
    this.#run(() => {
      const decrypted = this.#decryptAll(events);
      return decrypted instanceof Promise
        ? decrypted.then((done) => this.#deliver(done))
        : this.#deliver(decrypted);
    });
  }

  progress(revision: number, requested: boolean): void {
    this.#run(() => this.#options.onProgress?.(revision, requested));
  }

  end(error: Error): void {
    this.#run(() => this.fail(error));
  }

  #deliver(events: readonly StoreEvent[]): void {
    this.#waiting -= events.length;
    if (!this.#closed) this.#options.onEvents(events);
  }

  #decryptAll(events: readonly StoreEvent[]): MaybePromise<readonly StoreEvent[]> {
    const decrypted = events.map((event) => this.#decrypt(event));
    return decrypted.some((event) => event instanceof Promise)
      ? Promise.all(decrypted)
      : (decrypted as StoreEvent[]);
  }

  /** Makes a call now, or after those that wait. */
  #run(call: () => MaybePromise<void>): void {
    if (this.#closed) return;
    if (this.#queue !== undefined) {
      this.#queue.push(call);
      return;
    }
    let result: MaybePromise<void>;
    try {
      result = call();
    } catch (error) {
      this.fail(error as Error);
      return;
    }
    if (result instanceof Promise) {
      this.#queue = [];
      void this.#drain(result);
    }
  }

  async #drain(first: Promise<void>): Promise<void> {
    try {
      await first;
      for (let next = this.#queue?.shift(); next !== undefined; next = this.#queue?.shift()) await next();
      this.#queue = undefined;
    } catch (error) {
      this.fail(error as Error);
    }
  }
}
