import { CODE_LENGTHS, CODES } from './huffman-code.ts';

const LENGTHS = Uint8Array.from(CODE_LENGTHS);
const BITS = Uint32Array.from(CODES);
/** Longer codes are written in two parts, which fit in 32 bits beside the rest of a byte. */
const LONGEST_PART = 24;
const LOW_PART = 16;

/** Bytes of a string (one character per byte) when it is Huffman-coded. */
export function huffmanLength(text: string): number {
  let bits = 0;
  for (let index = 0; index < text.length; index += 1) bits += LENGTHS[text.charCodeAt(index) & 0xff]!;
  return (bits + 7) >>> 3;
}

/** Writes a Huffman-coded string of {@link huffmanLength} bytes; returns the position after it. */
export function writeHuffman(text: string, target: Uint8Array, start: number): number {
  let position = start;
  let pending = 0;
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const symbol = text.charCodeAt(index) & 0xff;
    let code = BITS[symbol]!;
    let length = LENGTHS[symbol]!;
    if (length > LONGEST_PART) {
      length -= LOW_PART;
      pending = (pending << length) | (code >>> LOW_PART);
      for (count += length; count >= 8; count -= 8) target[position++] = pending >>> (count - 8);
      code &= 0xffff;
      length = LOW_PART;
    }
    pending = (pending << length) | code;
    for (count += length; count >= 8; count -= 8) target[position++] = pending >>> (count - 8);
  }
  // The padding is ones, the start of the end code.
  if (count > 0) target[position++] = (pending << (8 - count)) | (0xff >>> count);
  return position;
}
