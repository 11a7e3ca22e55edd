import { isUtf8 } from 'node:buffer';

/**
 * Decodes UTF-8 as Go does: every byte that is not part of a valid sequence becomes one U+FFFD (the WHATWG
 * decoder merges the start of a truncated sequence into one).
 */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  const part = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  return isUtf8(part) ? part.toString('utf8') : decodeBroken(part);
}

function decodeBroken(bytes: Buffer): string {
  // In UTF-16, which needs no further decoding: at most one unit for each byte.
  const decoded = Buffer.allocUnsafe(bytes.length * 2);
  let length = 0;
  const append = (unit: number): void => {
    decoded[length++] = unit & 0xff;
    decoded[length++] = unit >> 8;
  };
  for (let at = 0; at < bytes.length; ) {
    const size = sequenceLength(bytes, at);
    const point = size === 0 ? REPLACEMENT : codePoint(bytes, at, size);
    if (point < 0x10000) append(point);
    else {
      append(0xd7c0 + (point >> 10));
      append(0xdc00 + (point & 0x3ff));
    }
    at += Math.max(1, size);
  }
  return decoded.toString('utf16le', 0, length);
}

const REPLACEMENT = 0xfffd;

/** Length of the valid sequence that starts here, or 0. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (at + size > bytes.length) return 0;
  for (let index = at + 1; index < at + size; index++) if ((bytes[index]! & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1]!;
  const isOverlong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90);
  const isSurrogate = first === 0xed && second >= 0xa0;
  const isBeyondUnicode = first === 0xf4 && second >= 0x90;
  return isOverlong || isSurrogate || isBeyondUnicode ? 0 : size;
}

/** The code point of a valid sequence. */
function codePoint(bytes: Buffer, at: number, size: number): number {
  let point = size === 1 ? bytes[at]! : bytes[at]! & (0x7f >> size);
  for (let index = at + 1; index < at + size; index++) point = (point << 6) | (bytes[index]! & 0x3f);
  return point;
}
