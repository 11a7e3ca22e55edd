import { isUtf8 } from 'node:buffer';

/** Decodes UTF-8 as Go does: every byte that belongs to no valid sequence becomes one U+FFFD (browsers fold the start of a cut sequence into one). */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  const part = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  return isUtf8(part) ? part.toString('utf8') : decodeBroken(part);
}

function decodeBroken(bytes: Buffer): string {
  let text = '';
  let good = 0;
  for (let at = 0; at < bytes.length; ) {
    const size = sequenceLength(bytes, at);
    if (size > 0) {
      at += size;
      continue;
    }
    text += `${bytes.toString('utf8', good, at)}\ufffd`;
    good = ++at;
  }
  return text + bytes.toString('utf8', good);
}

/** Length of the valid sequence that starts here, or 0. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  return first >= 0xc2 && at + size <= bytes.length && isUtf8(bytes.subarray(at, at + size)) ? size : 0;
}
