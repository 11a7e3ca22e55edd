import type { Cell, SampleVisitor } from './metric-cells.ts';

const NANOSECONDS = 1e6;

/**
 * A histogram of a value over time, as if it were observed at the end of every nanosecond: a bucket counts the
 * nanoseconds during which the value was at most its bound.
 */
export class TimingHistogram implements Cell {
  readonly #bounds: readonly number[];
  readonly #counts: Float64Array;
  readonly #now: () => number;
  #value = 0;
  #bucket = 0;
  #last = Number.NaN;
  #sum = 0;
  #count = 0;

  /** @param bounds upper bounds in ascending order @param now monotonic milliseconds */
  constructor(bounds: readonly number[], now: () => number) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
    this.#now = now;
  }

  /** Sets the value from a time on. The first call begins the observation. */
  set(value: number, now: number): void {
    this.#advance(now);
    if (value === this.#value) return;
    this.#value = value;
    let bucket = 0;
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket += 1;
    this.#bucket = bucket;
  }

  get used(): boolean {
    return !Number.isNaN(this.#last);
  }

  visit(sample: SampleVisitor): void {
    this.#advance(this.#now());
    let total = 0;
    for (const [index, bound] of this.#bounds.entries()) {
      total += this.#counts[index]!;
      sample('_bucket', Math.round(total), bound);
    }
    sample('_bucket', Math.round(this.#count), Number.POSITIVE_INFINITY);
    sample('_sum', this.#sum);
    sample('_count', Math.round(this.#count));
  }

  /** Removes what was observed; the value stays. */
  reset(): void {
    this.#counts.fill(0);
    this.#sum = 0;
    this.#count = 0;
  }

  #advance(now: number): void {
    const passed = (now - this.#last) * NANOSECONDS;
    if (passed > 0) {
      this.#counts[this.#bucket]! += passed;
      this.#sum += this.#value * passed;
      this.#count += passed;
    }
    this.#last = now;
  }
}
