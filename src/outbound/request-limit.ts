import { OutboundError } from './outbound-error.ts';

/** Limits concurrent requests. Further ones wait in order of arrival; beyond the limit of waiters they fail. */
export class RequestLimit {
  readonly #maximumActive: number;
  readonly #maximumWaiting: number;
  readonly #waiting = new Set<() => void>();
  #active = 0;

  constructor(maximumActive: number, maximumWaiting: number) {
    this.#maximumActive = maximumActive;
    this.#maximumWaiting = maximumWaiting;
  }

  /** Requests in progress. */
  get active(): number {
    return this.#active;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Takes a place; the caller gives it back with {@link release}.
   * @returns undefined, or a promise that rejects with the reason of an aborted signal
   * @throws OutboundError with code EBUSY when too many wait
   */
  acquire(signal: AbortSignal): Promise<void> | undefined {
    if (this.#active < this.#maximumActive) {
      this.#active++;
      return undefined;
    }
    if (this.#waiting.size >= this.#maximumWaiting)
      throw new OutboundError(
        `too many requests: ${this.#active} are in progress and ${this.#waiting.size} wait`,
        'EBUSY',
      );
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', abort);
        this.#waiting.delete(start);
        resolve();
      };
      const abort = () => {
        this.#waiting.delete(start);
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.add(start);
    });
  }

  release(): void {
    // The place goes to the first waiter without becoming free.
    const [start] = this.#waiting;
    if (start === undefined) this.#active--;
    else start();
  }
}
