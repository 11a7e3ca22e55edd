import type { ClusterClock } from '../time/clock.ts';

/** Longest timer in milliseconds: a jump of the machine's wall clock is noticed within it. */
const longestSleep = 60_000;

/**
 * Runs `expire` when the earliest known lease deadline has passed. The owner then arms it with the next
 * deadline.
 */
export class ExpiryTimer {
  #deadline = Number.POSITIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(
    private readonly clock: Pick<ClusterClock, 'now' | 'after'>,
    private readonly expire: () => void,
  ) {}

  /** Schedules `expire` at `deadline` (milliseconds since the epoch) or earlier. */
  arm(deadline: number): void {
    if (deadline >= this.#deadline) return;
    this.#cancel?.();
    this.#deadline = deadline;
    const delay = Math.min(Math.max(deadline - this.clock.now(), 0), longestSleep);
    this.#cancel = this.clock.after(delay, () => {
      this.#deadline = Number.POSITIVE_INFINITY;
      this.#cancel = undefined;
      if (deadline > this.clock.now()) this.arm(deadline);
      else this.expire();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#deadline = Number.POSITIVE_INFINITY;
  }
}
