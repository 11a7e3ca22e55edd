import { isDeepStrictEqual } from 'node:util';
import { processClock } from '../time/clock.ts';
import type { Cell } from './metric-cells.ts';
import { Counter, Gauge, Histogram } from './metric-cells.ts';
import {
  type Collected,
  Family,
  type HistogramDeclaration,
  MAXIMUM_SERIES,
  type MetricDeclaration,
  type MetricType,
  type Series,
} from './metric-family.ts';
import { Summary } from './summary.ts';
import { TimingHistogram } from './timing-histogram.ts';

/**
 * A small metrics registry. A family has a fixed set of labels; a series of it is a cell that callers resolve
 * once ({@link Family.with}) and then update at the cost of an addition.
 */

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
    now: () => number = processClock.monotonic,
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
    now: () => number = processClock.monotonic,
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

  /** A part that starts again declares its metrics again: families continue, observed values are read from the new part. */
  #add<M extends Collected>(metric: M): M {
    const { name } = metric.declaration;
    const known = this.#metrics.get(name);
    const isSame =
      known?.constructor === metric.constructor &&
      known.type === metric.type &&
      isDeepStrictEqual(known.declaration, metric.declaration);
    if (known !== undefined && !isSame) throw new TypeError(`metric ${name} is declared twice`);
    if (known instanceof Family) return known as Collected as M;
    this.#metrics.set(name, metric);
    return metric;
  }
}
