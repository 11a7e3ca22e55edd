import { LabelTree } from './label-tree.ts';
import { Summary } from './summary.ts';
import { TimingHistogram } from './timing-histogram.ts';

/**
 * A small metrics registry. A family has a fixed set of labels; a series of it is a cell that callers resolve
 * once ({@link Family.with}) and then update at the cost of an addition.
 */

export type MetricType = 'counter' | 'gauge' | 'histogram' | 'summary';
/** Stability level of a metric; '' for runtime metrics, whose help text has none. */
export type Stability = 'ALPHA' | 'BETA' | 'STABLE' | '';

export interface MetricDeclaration {
  readonly name: string;
  readonly help: string;
  readonly stability?: Stability;
  readonly labels?: readonly string[];
  /** The release that deprecated it (`1.28.0`); later releases hide it. */
  readonly deprecatedSince?: string;
  /** Whether its help text says so, before the stability level. */
  readonly isExperimental?: true;
}

export interface HistogramDeclaration extends MetricDeclaration {
  /** Upper bounds in ascending order, without infinity. */
  readonly buckets: readonly number[];
}

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

  add(amount = 1): void {
    this.value += amount;
  }

  get used(): boolean {
    return this.value !== 0;
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

/** Series with their label values, in the order of the declaration. */
export type Series = readonly [values: readonly string[], cell: Cell];

/** A metric as seen by the exposition. */
export interface Collected {
  readonly declaration: MetricDeclaration;
  readonly type: MetricType;
  series(): Iterable<Series> | Promise<Iterable<Series>>;
  reset(): void;
}

/**
 * Maximum series of one family. Further ones are recorded in a series with {@link OVERFLOW_LABEL} as every
 * label.
 */
export const MAXIMUM_SERIES = 10_000;
export const OVERFLOW_LABEL = 'unexpected';

/** All series of one metric. */
export class Family<C extends Cell> implements Collected {
  readonly #tree: LabelTree<C>;
  readonly #labels: readonly string[];
  readonly #make: () => C;
  readonly #maximum: number;
  readonly #allowed: readonly (ReadonlySet<string> | undefined)[] | undefined;
  #overflow: C | undefined;
  readonly #beforeRead: (() => void)[] = [];

  constructor(
    readonly declaration: MetricDeclaration,
    readonly type: MetricType,
    make: () => C,
    maximum = MAXIMUM_SERIES,
    /** Values that each label may have, in the order of the labels; undefined: any. */
    allowed?: readonly (ReadonlySet<string> | undefined)[],
    /** Called when a value is not allowed. */
    private readonly onUnexpected: () => void = () => undefined,
  ) {
    this.#allowed = allowed;
    this.#labels = declaration.labels ?? [];
    this.#tree = new LabelTree(this.#labels.length);
    this.#make = make;
    this.#maximum = maximum;
    if (this.#labels.length === 0) this.#tree.add([], make());
  }

  /**
   * The series with these label values, in the order of the label declaration. Frequent callers should keep
   * it.
   */
  with(...given: readonly string[]): C {
    const values =
      this.#allowed === undefined ? given : given.map((value, index) => this.#permit(value, index));
    const found = this.#tree.find(values);
    if (found !== undefined) return found;
    if (values.length !== this.#labels.length)
      throw new TypeError(`${this.declaration.name} has ${this.#labels.length} labels, not ${values.length}`);
    if (this.#tree.size < this.#maximum) return this.#tree.add(values, this.#make());
    this.#overflow ??= this.#make();
    return this.#overflow;
  }

  #permit(value: string, index: number): string {
    const allowed = this.#allowed?.[index];
    if (allowed === undefined || allowed.has(value)) return value;
    this.onUnexpected();
    return OVERFLOW_LABEL;
  }

  /** Removes the series with these label values: what they name is gone. */
  remove(labels: Readonly<Record<string, string>>): void {
    this.#tree.remove(this.#labels.map((label) => labels[label]));
  }

  /** Adds what brings series up to date before they are read or reset. */
  beforeRead(update: () => void): void {
    this.#beforeRead.push(update);
  }

  *series(): Generator<Series> {
    for (const update of this.#beforeRead) update();
    const always = this.#labels.length === 0;
    for (const entry of this.#tree.entries()) if (always || entry[1].used) yield entry;
    if (this.#overflow?.used) yield [this.#labels.map(() => OVERFLOW_LABEL), this.#overflow];
  }

  reset(): void {
    for (const update of this.#beforeRead) update();
    for (const [, cell] of this.#tree.entries()) cell.reset();
    this.#overflow?.reset();
  }
}

/** Values read at each scrape: [label values, value]. */
export type Reading = readonly [values: readonly string[], value: number];

class Observed implements Collected {
  constructor(
    readonly declaration: MetricDeclaration,
    readonly type: 'counter' | 'gauge',
    private readonly read: () => Iterable<Reading> | Promise<Iterable<Reading>>,
  ) {}

  async series(): Promise<Series[]> {
    return [...(await this.read())].map(([values, value]): Series => {
      const cell = new Gauge();
      cell.set(value);
      return [values, cell];
    });
  }

  /** The values are read from elsewhere and cannot be reset. */
  reset(): void {}
}

/** Values that labels may have, by metric and label. */
export type AllowedLabels = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** All metrics of one server. */
export class MetricsRegistry {
  readonly #metrics = new Map<string, Collected>();
  readonly #hides: (declaration: MetricDeclaration) => boolean;
  readonly #allowed: AllowedLabels;
  /** Values of labels that are not allowed. */
  #unexpected = 0;

  /** @param hides whether a metric is hidden @param allowed values of labels; others become `unexpected` */
  constructor(
    hides: (declaration: MetricDeclaration) => boolean = () => false,
    allowed: AllowedLabels = new Map(),
  ) {
    this.#hides = hides;
    this.#allowed = allowed;
  }

  counter(declaration: MetricDeclaration): Family<Counter> {
    return this.#add(this.#family(declaration, 'counter', () => new Counter()));
  }

  gauge(declaration: MetricDeclaration): Family<Gauge> {
    return this.#add(this.#family(declaration, 'gauge', () => new Gauge()));
  }

  histogram(declaration: HistogramDeclaration): Family<Histogram> {
    return this.#add(this.#family(declaration, 'histogram', () => new Histogram(declaration.buckets)));
  }

  /** @param now monotonic milliseconds */
  timingHistogram(
    given: HistogramDeclaration,
    now: () => number = () => performance.now(),
  ): Family<TimingHistogram> {
    const declaration: HistogramDeclaration = { ...given, isExperimental: true };
    return this.#add(this.#family(declaration, 'histogram', () => new TimingHistogram(given.buckets, now)));
  }

  /**
   * @param maximumAge milliseconds after which an observation does not count for quantiles
   * @param now monotonic milliseconds
   */
  summary(
    declaration: MetricDeclaration,
    maximumAge: number,
    now: () => number = () => performance.now(),
  ): Family<Summary> {
    return this.#add(this.#family(declaration, 'summary', () => new Summary(maximumAge, now)));
  }

  /** Adds a metric whose values are read at each scrape. If reading fails, the metric has no series. */
  observe(
    declaration: MetricDeclaration,
    type: 'counter' | 'gauge',
    read: () => Iterable<Reading> | Promise<Iterable<Reading>>,
  ): void {
    this.#add(new Observed(declaration, type, read));
  }

  /** All visible metrics, ordered by name. */
  collected(): Collected[] {
    const visible = [...this.#metrics.values()].filter(({ declaration }) => !this.#hides(declaration));
    return visible.sort((left, right) => (left.declaration.name < right.declaration.name ? -1 : 1));
  }

  /** Adds the metrics about the registry itself. @param disabled names of metrics that are not shown */
  observeItself(disabled: ReadonlySet<string>): void {
    const own = (name: string, help: string, read: () => Reading[], labels: readonly string[] = []) =>
      this.observe({ name, help, stability: 'BETA', labels }, 'counter', read);
    const declarations = () => [...this.#metrics.values()].map(({ declaration }) => declaration);
    this.observe(
      {
        name: 'cardinality_enforcement_unexpected_categorizations_total',
        help: 'The count of unexpected categorizations during cardinality enforcement.',
      },
      'counter',
      () => [[[], this.#unexpected]],
    );
    own('disabled_metrics_total', 'The count of disabled metrics.', () => [
      [[], declarations().filter(({ name }) => disabled.has(name)).length],
    ]);
    own('hidden_metrics_total', 'The count of hidden metrics.', () => [
      [[], declarations().filter((one) => this.#hides(one) && !disabled.has(one.name)).length],
    ]);
    own(
      'registered_metrics_total',
      'The count of registered metrics broken by stability level and deprecation version.',
      () => {
        const counts = new Map<string, [string, string, number]>();
        for (const { stability = 'ALPHA', deprecatedSince = '' } of declarations()) {
          const count = counts.get(`${stability} ${deprecatedSince}`) ?? [stability, deprecatedSince, 0];
          count[2] += 1;
          if (stability !== '') counts.set(`${stability} ${deprecatedSince}`, count);
        }
        return [...counts.values()].map(([stability, since, count]): Reading => [[stability, since], count]);
      },
      ['stability_level', 'deprecated_version'],
    );
  }

  /** Resets all metrics. */
  reset(): void {
    for (const metric of this.#metrics.values()) metric.reset();
  }

  #family<C extends Cell>(declaration: MetricDeclaration, type: MetricType, make: () => C): Family<C> {
    const own = this.#allowed.get(declaration.name);
    const allowed = own && (declaration.labels ?? []).map((label) => own.get(label));
    return new Family(declaration, type, make, MAXIMUM_SERIES, allowed, () => {
      this.#unexpected += 1;
    });
  }

  #add<M extends Collected>(metric: M): M {
    const { name } = metric.declaration;
    if (this.#metrics.has(name)) throw new TypeError(`metric ${name} is declared twice`);
    this.#metrics.set(name, metric);
    return metric;
  }
}
