import { add, MAX, multiply, type Range } from './size.ts';

const ceilingOfQuotient = (a: bigint, b: bigint): bigint => {
  const quotient = Math.ceil(Number(a) / Number(b));
  return quotient >= 2 ** 64 ? MAX : BigInt(quotient);
};

const oneMore = (size: bigint): bigint => (size < MAX ? size + 1n : size);

/**
 * The number of replacements in a text of a given size, and the number of characters kept, for parts of a
 * given size.
 * @param keeps whether the extreme is the one without replacements
 */
function replacements(text: bigint, replaced: bigint, keeps: boolean): { count: bigint; kept: bigint } {
  // An empty part matches around every character.
  if (replaced === 0n) return { count: oneMore(text), kept: text };
  return keeps ? { count: 0n, kept: text } : { count: ceilingOfQuotient(text, replaced), kept: 0n };
}

/**
 * The size of a text after replacements: the minimum and maximum over the sizes of parts and replacements.
 */
export function replacedSize(text: Range, replaced: Range, replacement: Range): Range {
  const most = replacements(text.max, replaced.min, replacement.max <= replaced.min);
  const fewest = replacements(text.min, replaced.max, replaced.max <= replacement.min);
  return add(multiply({ min: fewest.count, max: most.count }, replacement), {
    min: fewest.kept,
    max: most.kept,
  });
}
