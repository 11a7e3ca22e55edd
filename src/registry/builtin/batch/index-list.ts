const INDEX = /^\d{1,9}$/;

/** Number of indexes in a list such as `1,3-5,7` of ascending indexes below `completions`, or what is wrong with it. */
export function countIndexes(text: string, completions: number): { readonly count?: number; readonly error?: string } {
  if (text === '') return { count: 0 };
  let count = 0;
  let previous = -1;
  for (const interval of text.split(',')) {
    const limits = interval.split('-');
    if (limits.length > 2)
      return { error: `the fragment "${interval}" violates the requirement that an index interval can have at most two parts separated by '-'` };
    const numbers: number[] = [];
    for (const limit of limits) {
      if (!INDEX.test(limit)) return { error: `cannot convert string to integer for index: ${JSON.stringify(limit)}` };
      if (Number(limit) >= completions) return { error: `too large index: ${JSON.stringify(limit)}` };
      numbers.push(Number(limit));
    }
    const [first, last = first] = numbers as [number, number?];
    if (first <= previous) return { error: `non-increasing order, previous: ${previous}, current: ${first}` };
    if (numbers.length === 2 && last! <= first) return { error: `non-increasing order, previous: ${first}, current: ${last}` };
    count += last! - first + 1;
    previous = last!;
  }
  return { count };
}
