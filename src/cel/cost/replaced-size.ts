import { add, MAX, multiply, type Range } from './size.ts';

const ceilingOfQuotient = (a: bigint, b: bigint): bigint => {
  const quotient = Math.ceil(Number(a) / Number(b));
  return quotient >= 2 ** 64 ? MAX : BigInt(quotient);
};

const oneMore = (size: bigint): bigint => (size < MAX ? size + 1n : size);

/**
 * How many replacements a text of a size has, and how much of it is kept, where the parts replaced have a
 * size.
 * @param keeps replacing nothing is the extreme
 */
function replacements(text: bigint, replaced: bigint, keeps: boolean): { count: bigint; kept: bigint } {
  // An empty text is found around every character.
  if (replaced === 0n) return { count: oneMore(text), kept: text };
  return keeps ? { count: 0n, kept: text } : { count: ceilingOfQuotient(text, replaced), kept: 0n };
}

/**
 * How large a text is after replacements: of the smallest possible parts by the largest possible text, and
 * the other way round.
 */
export function replacedSize(text: Range, replaced: Range, replacement: Range): Range {
  const most = replacements(text.max, replaced.min, replacement.max <= replaced.min);
  const fewest = replacements(text.min, replaced.max, replaced.max <= replacement.min);
  return add(multiply({ min: fewest.count, max: most.count }, replacement), {
    min: fewest.kept,
    max: most.kept,
  });
}
