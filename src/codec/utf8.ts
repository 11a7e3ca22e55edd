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
  const decoded = Buffer.allocUnsafe(bytes.length * 3);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const size = sequenceLength(bytes, at);
    if (size === 0) {
      decoded[length++] = 0xef;
      decoded[length++] = 0xbf;
      decoded[length++] = 0xbd;
      at++;
    }
    for (let copied = 0; copied < size; copied++) decoded[length++] = bytes[at++]!;
  }
  return decoded.toString('utf8', 0, length);
}

/** Length of the valid sequence that starts here, or 0. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  return first >= 0xc2 && at + size <= bytes.length && isUtf8(bytes.subarray(at, at + size)) ? size : 0;
}
