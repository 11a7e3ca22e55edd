import { BodyAbortedError } from './exchange.ts';

interface Waiter {
  resolve(): void;
  reject(error: Error): void;
}

export const clientDisconnected = (): BodyAbortedError => new BodyAbortedError('the client disconnected');

/** The producers of a body that wait until its queue is shorter. */
export class WaitingProducers {
  /** Undefined while nobody waits: most bodies never have a waiter. */
  #waiters: Waiter[] | undefined;

  get isEmpty(): boolean {
    return this.#waiters === undefined;
  }

  /** Resolves with {@link resume}; rejects with BodyAbortedError by {@link disconnect}. */
  wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiters ??= [];
      this.#waiters.push({ resolve, reject });
    });
  }

  /** The queue is short enough. */
  resume(): void {
    const waiters = this.#waiters;
    if (waiters === undefined) return;
    this.#waiters = undefined;
    for (const waiter of waiters) waiter.resolve();
  }

  /** The client has disconnected. */
  disconnect(): void {
    const waiters = this.#waiters;
    if (waiters === undefined) return;
    this.#waiters = undefined;
    const error = clientDisconnected();
    for (const waiter of waiters) waiter.reject(error);
  }
}
