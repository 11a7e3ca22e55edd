import type { ClusterClock } from '../time/clock.ts';
import type { Source } from './controller.ts';

/** Maximum delay of one timer, milliseconds: a jump of the machine's wall clock is noticed within it. */
const MAXIMUM_DELAY = 86_400_000;

/** One timer for each key whose object expires later. It is a source of keys, stopped with its controller. */
export class ExpiryTimers implements Source {
  readonly synced: Promise<void> = Promise.resolve();
  readonly #timers = new Map<string, () => void>();

  constructor(private readonly clock: Pick<ClusterClock, 'after'>) {}

  /** Calls `expired` after some milliseconds, at most a day. */
  set(key: string, milliseconds: number, expired: () => void): void {
    this.#timers.set(key, this.clock.after(Math.min(milliseconds, MAXIMUM_DELAY), expired));
  }

  /** Cancels the timer of a key, if it has one. */
  clear(key: string): void {
    this.#timers.get(key)?.();
    this.#timers.delete(key);
  }

  start(): void {}

  async stop(): Promise<void> {
    for (const cancel of this.#timers.values()) cancel();
  }
}
