import { add, MAX, multiply, type Range } from './size.ts';

const ceilingOfQuotient = (a: bigint, b: bigint): bigint => {
  const quotient = Math.ceil(Number(a) / Number(b));
  return quotient >= 2 ** 64 ? MAX : BigInt(quotient);
};

const oneMore = (size: bigint): bigint => (size < MAX ? size + 1n : size);

/** How large a text is after replacements: of the smallest possible parts by the largest possible text, and the other way round. */
export function replacedSize(text: Range, replaced: Range, replacement: Range): Range {
  let most = 0n;
  let mostKept = 0n;
  if (replaced.min === 0n) {
    // An empty text is found around every character.
    most = oneMore(text.max);
    mostKept = text.max;
  } else if (replacement.max <= replaced.min) mostKept = text.max;
  else most = ceilingOfQuotient(text.max, replaced.min);

  let fewest = 0n;
  let fewestKept = 0n;
  if (replaced.max === 0n) {
    fewest = oneMore(text.min);
    fewestKept = text.min;
  } else if (replaced.max <= replacement.min) fewestKept = text.min;
  else fewest = ceilingOfQuotient(text.min, replaced.max);

  return add(multiply({ min: fewest, max: most }, replacement), { min: fewestKept, max: mostKept });
}
