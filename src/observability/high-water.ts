const WINDOW_MILLISECONDS = 1000;

/** A gauge with its maximum over the current and the last second. */
export class HighWater {
  #value = 0;
  #highest = 0;
  #before = 0;
  #windowStart = 0;

  /** @param now monotonic milliseconds */
  change(by: number, now: number): void {
    this.#roll(now);
    this.#value += by;
    if (this.#value > this.#highest) this.#highest = this.#value;
  }

  /** @param now monotonic milliseconds */
  read(now: number): number {
    this.#roll(now);
    return Math.max(this.#highest, this.#before);
  }

  #roll(now: number): void {
    const passed = now - this.#windowStart;
    if (passed < WINDOW_MILLISECONDS) return;
    this.#before = passed < 2 * WINDOW_MILLISECONDS ? this.#highest : this.#value;
    this.#highest = this.#value;
    this.#windowStart = now;
  }
}
