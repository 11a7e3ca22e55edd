import { BodyAbortedError } from './exchange.ts';

interface Waiter {
  resolve(): void;
  reject(error: Error): void;
}

export const clientDisconnected = (): BodyAbortedError => new BodyAbortedError('the client disconnected');

/** The producers of a body that are waiting for its queue to shrink. */
export class WaitingProducers {
  /** Undefined when no producer is waiting. Created on demand: most bodies never need a list. */
  #waiters: Waiter[] | undefined;

  get isEmpty(): boolean {
    return this.#waiters === undefined;
  }

  /** Resolved by {@link resume}; rejected by {@link disconnect} with BodyAbortedError. */
  wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiters ??= [];
      this.#waiters.push({ resolve, reject });
    });
  }

  /** Resolves all waits. Called when the queue is short enough. */
  resume(): void {
    const waiters = this.#waiters;
    if (waiters === undefined) return;
    this.#waiters = undefined;
    for (const waiter of waiters) waiter.resolve();
  }

  /** Rejects all waits. Called when the client has disconnected. */
  disconnect(): void {
    const waiters = this.#waiters;
    if (waiters === undefined) return;
    this.#waiters = undefined;
    const error = clientDisconnected();
    for (const waiter of waiters) waiter.reject(error);
  }
}
