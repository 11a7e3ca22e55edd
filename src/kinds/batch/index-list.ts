import { quote } from '../../errors/quote.ts';
import { Pace } from '../../steps/pace.ts';
import type { Steps } from '../../steps/steps.ts';

/** An index as Go's `strconv.Atoi` accepts it. */
const INDEX = /^[+-]?\d{1,18}$/;

interface Interval {
  readonly first: number;
  readonly last: number;
}

function parseInterval(text: string, completions: number): Interval | { readonly error: string } {
  const limits = text.split('-', 3);
  if (limits.length > 2) {
    const fragment = JSON.stringify(text);
    return {
      error: `the fragment ${fragment} violates the requirement that an index interval can have at most two parts separated by '-'`,
    };
  }
  const numbers: number[] = [];
  for (const limit of limits) {
    if (!INDEX.test(limit)) return { error: `cannot convert string to integer for index: ${quote(limit)}` };
    if (Number(limit) >= completions) return { error: `too large index: ${quote(limit)}` };
    numbers.push(Number(limit));
  }
  const [first, last = first] = numbers as [number, number?];
  if (numbers.length === 2 && first >= last)
    return { error: `non-increasing order, previous: ${first}, current: ${last}` };
  return { first, last };
}

/** Reads the parts of a list such as `1,3-5,7` one after another: clients determine its length. */
class IndexReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next part; undefined at the end. */
  next(): string | undefined {
    if (this.#at > this.#text.length) return undefined;
    const comma = this.#text.indexOf(',', this.#at);
    const part = this.#text.slice(this.#at, comma < 0 ? undefined : comma);
    this.#at = comma < 0 ? this.#text.length + 1 : comma + 1;
    return part;
  }
}

/** The number of indexes in a list; 0 and an error message when it is malformed. */
export interface IndexCount {
  readonly count: number;
  readonly error?: string;
}

/**
 * Counts the indexes of a list such as `1,3-5,7`, in steps. Indexes must ascend and be below `completions`.
 */
export function* countingIndexes(text: string, completions: number): Steps<IndexCount> {
  if (text === '') return { count: 0 };
  const pace = new Pace();
  const reader = new IndexReader(text);
  let count = 0;
  let previous: number | undefined;
  for (let part = reader.next(); part !== undefined; part = reader.next()) {
    if (pace.isPause()) yield;
    const interval = parseInterval(part, completions);
    if ('error' in interval) return { count: 0, error: interval.error };
    const { first, last } = interval;
    if (previous !== undefined && first <= previous)
      return { count: 0, error: `non-increasing order, previous: ${previous}, current: ${first}` };
    count += last - first + 1;
    previous = last;
  }
  return { count };
}

/** Finds the first index that is in both lists, in steps; malformed parts are skipped. */
export function* findingOverlap(one: string, other: string, completions: number): Steps<number | undefined> {
  if (one === '' || other === '') return undefined;
  const pace = new Pace();
  const next = (reader: IndexReader): Interval | undefined => {
    for (let part = reader.next(); part !== undefined; part = reader.next()) {
      const interval = parseInterval(part, completions);
      if (!('error' in interval)) return interval;
    }
    return undefined;
  };
  const [left, right] = [new IndexReader(one), new IndexReader(other)];
  let [x, y] = [next(left), next(right)];
  while (x !== undefined && y !== undefined) {
    if (pace.isPause()) yield;
    if (x.first <= y.last && y.first <= x.last) return Math.max(x.first, y.first);
    if (x.first <= y.first) x = next(left);
    else y = next(right);
  }
  return undefined;
}
