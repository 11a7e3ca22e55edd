/** Bits of the code of each byte, and of the end of a string at 256 (RFC 7541, appendix B). */
const LENGTHS: readonly number[] = [
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
const LONGEST = 30;
const END = 256;

/**
 * The code is canonical: codes of one length are consecutive, in the order of their bytes. Symbols in that
 * order.
 */
const symbols = LENGTHS.map((_, symbol) => symbol).sort(
  (left, right) => LENGTHS[left]! - LENGTHS[right]! || left - right,
);
/** Per length: the first code, and the index of its symbol in {@link symbols}. */
const firstCode: number[] = [];
const firstPlace: number[] = [];
const count: number[] = [];
for (let length = 0, code = 0, place = 0; length <= LONGEST; length++) {
  firstCode[length] = code;
  firstPlace[length] = place;
  count[length] = LENGTHS.filter((one) => one === length).length;
  place += count[length]!;
  code = (code + count[length]!) * 2;
}

/**
 * Decodes a Huffman-coded string of a header block. Undefined for an invalid code; its padding is not
 * checked.
 */
export function decodeHuffman(bytes: Uint8Array): Buffer | undefined {
  // The shortest code has five bits.
  const decoded = Buffer.allocUnsafe(Math.ceil((bytes.length * 8) / 5));
  let written = 0;
  let code = 0;
  let length = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      code = code * 2 + ((byte >> bit) & 1);
      length += 1;
      const offset = code - firstCode[length]!;
      if (offset < count[length]!) {
        const symbol = symbols[firstPlace[length]! + offset]!;
        if (symbol === END) return undefined;
        decoded[written++] = symbol;
        code = 0;
        length = 0;
      } else if (length === LONGEST) return undefined;
    }
  }
  return decoded.subarray(0, written);
}

/** Codes of control characters and of tab start with at least this many one bits. */
const CONTROL_ONES = 10;

/**
 * Whether a Huffman-coded string may contain a control character, or white space at an end. Much cheaper than
 * decoding; nearly always false.
 */
export function mayContainForbiddenBytes(bytes: Uint8Array): boolean {
  if (bytes.length === 0) return false;
  // A space is 010100.
  if (bytes[0]! >> 2 === 0b010100) return true;
  let ones = 0;
  for (const byte of bytes) {
    if (byte === 0xff) ones += 8;
    else {
      if (ones + Math.clz32(~(byte << 24)) >= CONTROL_ONES) return true;
      ones = trailingOnes(byte);
    }
    if (ones >= CONTROL_ONES) return true;
  }
  const tail = ((bytes.length > 1 ? bytes[bytes.length - 2]! << 8 : 0) | bytes[bytes.length - 1]!) >> ones;
  return (tail & 0x3f) === 0b010100;
}

function trailingOnes(byte: number): number {
  let ones = 0;
  for (let rest = byte; (rest & 1) === 1; rest >>= 1) ones += 1;
  return ones;
}
