import type { Rate } from './limits.ts';

/** A token bucket. It reads the clock only when it is empty. */
export class RateLimiter {
  readonly #rate: Rate;
  readonly #now: () => number;
  #tokens: number;
  #filledAt: number;

  /** @param now milliseconds that never jump */
  constructor(rate: Rate, now: () => number) {
    this.#rate = rate;
    this.#now = now;
    this.#tokens = rate.burst;
    this.#filledAt = now();
  }

  /** Takes one token; false if there is none. */
  take(): boolean {
    if (this.#tokens < 1) this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Gives tokens for work that was done, up to the burst. */
  credit(tokens: number): void {
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + tokens);
  }

  #refill(): void {
    const now = this.#now();
    this.credit(((now - this.#filledAt) / 1000) * this.#rate.perSecond);
    this.#filledAt = now;
  }
}
