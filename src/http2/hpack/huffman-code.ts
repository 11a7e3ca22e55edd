/** Bits of the code of each byte, and of the end of a string at 256 (RFC 7541, appendix B). */
export const CODE_LENGTHS: readonly number[] = [
  ...[
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28,
    28, 28, 28, 28, 28, 28,
  ],
  ...[
    6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  ],
  ...[13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6],
  ...[15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28],
  ...[
    20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21,
    22, 23, 22, 23, 23, 24,
  ],
  ...[
    22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22,
    22, 22, 23, 22, 22, 23,
  ],
  ...[
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21,
    26, 26, 28, 27, 27, 27,
  ],
  ...[
    20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28,
    27, 27, 27, 27, 27, 26,
  ],
  30,
];

/** Symbol that ends a string. No string contains it; its first bits pad the last byte. */
export const END_OF_STRING = 256;

/**
 * Code of each symbol, right-aligned. The code is canonical: codes of one length are consecutive, in the order of
 * their symbols.
 */
export const CODES: readonly number[] = canonicalCodes();

function canonicalCodes(): number[] {
  const codes: number[] = new Array(CODE_LENGTHS.length).fill(0);
  const longest = Math.max(...CODE_LENGTHS);
  for (let length = 1, code = 0; length <= longest; length += 1, code *= 2)
    for (let symbol = 0; symbol < codes.length; symbol += 1) {
      if (CODE_LENGTHS[symbol] !== length) continue;
      codes[symbol] = code;
      code += 1;
    }
  return codes;
}
