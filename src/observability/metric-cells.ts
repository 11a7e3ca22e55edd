/**
 * Called with the samples of a series in order: a histogram or summary has several.
 * @param bound upper bound of a bucket, or quantile
 */
export type SampleVisitor = (
  suffix: '' | '_bucket' | '_sum' | '_count',
  value: number,
  bound?: number,
) => void;

/** One series of a family. */
export interface Cell {
  /**
   * Whether a value was recorded since the start or the last reset. Other series are omitted, unless the
   * family has no labels.
   */
  readonly used: boolean;
  visit(sample: SampleVisitor): void;
  /** Resets the value; the cell remains usable. */
  reset(): void;
}

export class Counter implements Cell {
  value = 0;
  #shown = false;

  add(amount = 1): void {
    this.value += amount;
  }

  /** Exposes the series from now on, also while it is zero. @returns the counter */
  show(): this {
    this.#shown = true;
    return this;
  }

  get used(): boolean {
    return this.#shown || this.value !== 0;
  }

  visit(sample: SampleVisitor): void {
    sample('', this.value);
  }

  reset(): void {
    this.value = 0;
  }
}

export class Gauge implements Cell {
  value = 0;
  used = false;
  #counts = false;

  set(value: number): void {
    this.value = value;
    this.used = true;
  }

  /** Adds to a value that goes up and down. */
  add(amount: number): void {
    this.set(this.value + amount);
    this.#counts = true;
  }

  visit(sample: SampleVisitor): void {
    sample('', this.value);
  }

  /** Keeps the current count, which would otherwise drop below zero. */
  reset(): void {
    if (!this.#counts) this.value = 0;
    this.used = this.value !== 0;
  }
}

export class Histogram implements Cell {
  readonly #bounds: readonly number[];
  readonly #counts: Float64Array;
  sum = 0;
  count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length);
  }

  /** @param times how many observations have this value */
  observe(value: number, times = 1): void {
    const bounds = this.#bounds;
    let index = 0;
    while (index < bounds.length && value > bounds[index]!) index += 1;
    if (index < bounds.length) this.#counts[index]! += times;
    this.sum += value * times;
    this.count += times;
  }

  get used(): boolean {
    return this.count > 0;
  }

  visit(sample: SampleVisitor): void {
    let total = 0;
    for (let index = 0; index < this.#bounds.length; index += 1) {
      total += this.#counts[index]!;
      sample('_bucket', total, this.#bounds[index]);
    }
    sample('_bucket', this.count, Infinity);
    sample('_sum', this.sum);
    sample('_count', this.count);
  }

  reset(): void {
    this.#counts.fill(0);
    this.sum = 0;
    this.count = 0;
  }
}
