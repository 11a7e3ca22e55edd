import { lowerBound } from '../../collections/lower-bound.ts';

/** Completion indexes from `first` to `last`, both inclusive. */
interface Interval {
  readonly first: number;
  readonly last: number;
}

const NUMBER = /^\d+$/;

/**
 * A set of completion indexes, as the status of Jobs writes it: `0,2-5,7`. It is as large as the number of gaps, not of
 * indexes.
 */
export class IndexSet {
  static readonly EMPTY = new IndexSet([]);
  /** In order; there is at least one index between two of them. */
  readonly intervals: readonly Interval[];

  private constructor(intervals: readonly Interval[]) {
    this.intervals = intervals;
  }

  /**
   * Reads the form of the status. What is not of that form is left out.
   * @param completions indexes from this one on are left out
   */
  static parse(text: string, completions: number): IndexSet {
    const intervals: Interval[] = [];
    for (const part of text === '' ? [] : text.split(',')) {
      const [first, last = first, ...rest] = part.split('-');
      if (!NUMBER.test(first!) || !NUMBER.test(last!) || rest.length > 0) continue;
      const interval = { first: Number(first), last: Math.min(Number(last), completions - 1) };
      if (interval.first <= interval.last) intervals.push(interval);
    }
    return IndexSet.#joined(intervals);
  }

  static of(indexes: Iterable<number>): IndexSet {
    return IndexSet.#joined(Array.from(indexes, (index) => ({ first: index, last: index })));
  }

  static #joined(intervals: readonly Interval[]): IndexSet {
    const joined: Interval[] = [];
    for (const interval of [...intervals].sort((one, other) => one.first - other.first)) {
      const previous = joined.at(-1);
      if (previous === undefined || interval.first > previous.last + 1) joined.push(interval);
      else if (interval.last > previous.last)
        joined[joined.length - 1] = { first: previous.first, last: interval.last };
    }
    return new IndexSet(joined);
  }

  get size(): number {
    return this.intervals.reduce((size, { first, last }) => size + last - first + 1, 0);
  }

  has(index: number): boolean {
    const found = this.intervals[lowerBound(this.intervals, ({ last }) => last < index)];
    return found !== undefined && found.first <= index;
  }

  union(other: IndexSet): IndexSet {
    return IndexSet.#joined([...this.intervals, ...other.intervals]);
  }

  /** How many indexes both sets have. */
  common(other: IndexSet): number {
    let count = 0;
    let [mine, theirs] = [0, 0];
    while (mine < this.intervals.length && theirs < other.intervals.length) {
      const [one, two] = [this.intervals[mine]!, other.intervals[theirs]!];
      count += Math.max(0, Math.min(one.last, two.last) - Math.max(one.first, two.first) + 1);
      if (one.last < two.last) mine += 1;
      else theirs += 1;
    }
    return count;
  }

  /** The lowest indexes below `end` that are not in the set, at most `count`. */
  missing(count: number, end: number): number[] {
    const found: number[] = [];
    let candidate = 0;
    for (const { first, last } of [...this.intervals, { first: end, last: end }]) {
      for (; candidate < Math.min(first, end) && found.length < count; candidate += 1) found.push(candidate);
      candidate = Math.max(candidate, last + 1);
    }
    return found;
  }

  toString(): string {
    return this.intervals
      .map(({ first, last }) =>
        first === last ? `${first}` : last === first + 1 ? `${first},${last}` : `${first}-${last}`,
      )
      .join(',');
  }
}
