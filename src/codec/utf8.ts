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
  const mended = Buffer.allocUnsafe(bytes.length * 3);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const size = sequenceLength(bytes, at);
    if (size === 0) {
      mended[length++] = 0xef;
      mended[length++] = 0xbf;
      mended[length++] = 0xbd;
      at++;
    }
    for (let copied = 0; copied < size; copied++) mended[length++] = bytes[at++]!;
  }
  return mended.toString('utf8', 0, length);
}

/** Length of the valid sequence that starts here, or 0. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  return first >= 0xc2 && at + size <= bytes.length && isUtf8(bytes.subarray(at, at + size)) ? size : 0;
}
