const letter = /\p{L}/u;
const digit = /\p{Nd}/u;

/** Keys sorted per step; more are merged in steps. */
const SORTED_AT_ONCE = 512;

/** A key and its characters, split once. */
interface Key {
  readonly text: string;
  readonly characters: readonly string[];
}

/**
 * Sorts keys in natural order: punctuation and digits before letters, runs of digits by their numeric value.
 * Yields between steps.
 */
export function* naturallySorted(texts: readonly string[]): Generator<undefined, string[]> {
  let runs: Key[][] = [];
  for (let from = 0; from < texts.length; from += SORTED_AT_ONCE) {
    const run = texts
      .slice(from, from + SORTED_AT_ONCE)
      .map((text): Key => ({ text, characters: [...text] }));
    runs.push(run.sort(compareNaturally));
    if (texts.length > SORTED_AT_ONCE) yield;
  }
  while (runs.length > 1) {
    const merged: Key[][] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(index + 1 < runs.length ? yield* mergeRuns(runs[index]!, runs[index + 1]!) : runs[index]!);
    runs = merged;
  }
  return (runs[0] ?? []).map(({ text }) => text);
}

function* mergeRuns(left: readonly Key[], right: readonly Key[]): Generator<undefined, Key[]> {
  const merged: Key[] = [];
  let a = 0;
  let b = 0;
  while (a < left.length || b < right.length) {
    const first = b >= right.length || (a < left.length && compareNaturally(left[a]!, right[b]!) <= 0);
    merged.push(first ? left[a++]! : right[b++]!);
    if (merged.length % (4 * SORTED_AT_ONCE) === 0) yield;
  }
  return merged;
}

function compareNaturally({ characters: a }: Key, { characters: b }: Key): number {
  for (let at = 0; at < a.length && at < b.length; at++) {
    const x = a[at]!;
    const y = b[at]!;
    if (x === y) continue;
    const letters = [letter.test(x), letter.test(y)];
    if (letters[0] && letters[1]) return x.codePointAt(0)! - y.codePointAt(0)!;
    if (letters[0] || letters[1]) return letters[1] ? -1 : 1;
    return compareDigits(a, b, at) || x.codePointAt(0)! - y.codePointAt(0)!;
  }
  return a.length - b.length;
}

function compareDigits(a: readonly string[], b: readonly string[], at: number): number {
  let lead = '';
  if (a[at] === '0' || b[at] === '0') {
    for (let before = at - 1; before >= 0 && digit.test(a[before]!); before--)
      if (a[before] !== '0') lead = '1';
  }
  const x = digitsAt(a, at);
  const y = digitsAt(b, at);
  return compareNumbers(lead + x, lead + y) || x.length - y.length;
}

/** Compares two numbers by their digits; conversion to BigInt would take quadratic time. */
function compareNumbers(left: string, right: string): number {
  const x = left.replace(/^0+/, '');
  const y = right.replace(/^0+/, '');
  if (x.length !== y.length) return x.length - y.length;
  return x === y ? 0 : x < y ? -1 : 1;
}

function digitsAt(characters: readonly string[], at: number): string {
  let end = at;
  while (end < characters.length && /[0-9]/.test(characters[end]!)) end++;
  return characters.slice(at, end).join('');
}
