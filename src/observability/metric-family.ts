import { LabelTree } from './label-tree.ts';
import type { Cell } from './metric-cells.ts';

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
  readonly #beforeRead = new Map<string, () => void>();

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

  /**
   * Sets what brings series up to date before they are read or reset.
   * @param part whose series they are; its earlier update is replaced
   */
  beforeRead(part: string, update: () => void): void {
    this.#beforeRead.set(part, update);
  }

  *series(): Generator<Series> {
    for (const update of this.#beforeRead.values()) update();
    const always = this.#labels.length === 0;
    for (const entry of this.#tree.entries()) if (always || entry[1].used) yield entry;
    if (this.#overflow?.used) yield [this.#labels.map(() => OVERFLOW_LABEL), this.#overflow];
  }

  reset(): void {
    for (const update of this.#beforeRead.values()) update();
    for (const [, cell] of this.#tree.entries()) cell.reset();
    this.#overflow?.reset();
  }
}
