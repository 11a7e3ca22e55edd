/** The largest value of `Retry-After`, in seconds. */
const MAXIMUM_SECONDS = 32;

/**
 * The `Retry-After` of one priority level, in whole seconds. It begins with 1, doubles while many requests are
 * refused and falls by one while few are, at most once a second; the rule of kube-apiserver.
 */
export class RetryAfter {
  /** Refusals by second, oldest first; at most two entries per second of {@link MAXIMUM_SECONDS}. */
  #history: { readonly second: number; readonly refusals: number }[] = [];
  #second = 0;
  #refusals = 0;
  #raisedAt = 0;
  #seconds = 1;

  get seconds(): number {
    return this.#seconds;
  }

  /** Notes a refused request. @param now wall time in milliseconds */
  refused(now: number): void {
    const second = Math.floor(now / 1000);
    if (second === this.#second) {
      this.#refusals += 1;
      return;
    }
    this.#remember(second);
    this.#second = second;
    this.#refusals = 1;
    this.#adjust(second);
  }

  #remember(second: number): void {
    this.#history.push({ second: this.#second, refusals: this.#refusals });
    const oldest = second - Math.min(2 * this.#seconds, MAXIMUM_SECONDS);
    this.#history = this.#history.filter((entry) => entry.second >= oldest);
  }

  #adjust(second: number): void {
    let refusals = 0;
    for (const entry of this.#history)
      if (second - entry.second <= this.#seconds && entry.second < second) refusals += entry.refusals;
    if (second - this.#raisedAt >= this.#seconds && refusals >= 3 * this.#seconds) {
      this.#seconds = Math.min(2 * this.#seconds, MAXIMUM_SECONDS);
      this.#raisedAt = second;
    } else if (refusals < this.#seconds && this.#seconds > 1) this.#seconds -= 1;
  }
}
