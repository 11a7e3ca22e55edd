import type { Cell, SampleVisitor } from './metric-cells.ts';

/** Observations that quantiles are computed from: the latest ones. */
const KEPT = 500;
const QUANTILES: readonly number[] = [0.5, 0.9, 0.99];

/**
 * Quantiles of the latest observations that are not too old; the sum and count are those of all. It takes as
 * little memory and time as an observation of a histogram, where the reference keeps a sketch of all.
 */
export class Summary implements Cell {
  readonly #maximumAge: number;
  readonly #now: () => number;
  readonly #values = new Float64Array(KEPT);
  readonly #times = new Float64Array(KEPT);
  sum = 0;
  count = 0;

  /** @param maximumAge milliseconds @param now monotonic milliseconds */
  constructor(maximumAge: number, now: () => number) {
    this.#maximumAge = maximumAge;
    this.#now = now;
  }

  observe(value: number): void {
    const place = this.count % KEPT;
    this.#values[place] = value;
    this.#times[place] = this.#now();
    this.sum += value;
    this.count += 1;
  }

  get used(): boolean {
    return this.count > 0;
  }

  visit(sample: SampleVisitor): void {
    const oldest = this.#now() - this.#maximumAge;
    const latest = this.#values
      .subarray(0, Math.min(this.count, KEPT))
      .filter((_value, place) => this.#times[place]! >= oldest)
      .sort();
    for (const quantile of QUANTILES) {
      const place = Math.max(Math.ceil(quantile * latest.length) - 1, 0);
      sample('', latest.length === 0 ? Number.NaN : latest[place]!, quantile);
    }
    sample('_sum', this.sum);
    sample('_count', this.count);
  }

  reset(): void {
    this.sum = 0;
    this.count = 0;
  }
}
