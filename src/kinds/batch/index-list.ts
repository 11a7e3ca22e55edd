import { quote } from '../../errors/quote.ts';

/** An index as Go's `strconv.Atoi` accepts it. */
const INDEX = /^[+-]?\d{1,18}$/;

interface Interval {
  readonly first: number;
  readonly last: number;
}

function parseInterval(text: string, completions: number): Interval | { readonly error: string } {
  const limits = text.split('-');
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

/**
 * Counts the indexes of a list such as `1,3-5,7`. Indexes must ascend and be below `completions`.
 * @returns the count, or 0 and an error message
 */
export function countIndexes(
  text: string,
  completions: number,
): { readonly count: number; readonly error?: string } {
  if (text === '') return { count: 0 };
  let count = 0;
  let previous: number | undefined;
  for (const part of text.split(',')) {
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

/** Returns the first index that is in both lists; malformed parts are skipped. */
export function firstOverlap(one: string, other: string, completions: number): number | undefined {
  if (one === '' || other === '') return undefined;
  const parse = (text: string): Interval[] =>
    text.split(',').flatMap((part) => {
      const interval = parseInterval(part, completions);
      return 'error' in interval ? [] : [interval];
    });
  const [left, right] = [parse(one), parse(other)];
  let [a, b] = [0, 0];
  while (a < left.length && b < right.length) {
    const [x, y] = [left[a]!, right[b]!];
    if (x.first <= y.last && y.first <= x.last) return Math.max(x.first, y.first);
    if (x.first <= y.first) a += 1;
    else b += 1;
  }
  return undefined;
}
