/**
 * DER, the encoding of X.509: just the types that certificates are made of. Every function returns one
 * complete element.
 */

function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(length)]), ...parts]);
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return [0x80 | bytes.length, ...bytes];
}

export const sequence = (...parts: readonly Uint8Array[]) => element(0x30, ...parts);
export const set = (...parts: readonly Uint8Array[]) => element(0x31, ...parts);
export const boolean = (value: boolean) => element(0x01, Buffer.from([value ? 0xff : 0]));
export const octetString = (content: Uint8Array) => element(0x04, content);
export const utf8String = (text: string) => element(0x0c, Buffer.from(text, 'utf8'));

/** An explicit context tag around an element. */
export const explicit = (tag: number, content: Uint8Array) => element(0xa0 | tag, content);
/** A primitive element under an implicit context tag. */
export const implicit = (tag: number, content: Uint8Array) => element(0x80 | tag, content);

/**
 * An unsigned integer, big-endian. DER wants the shortest form, and a zero byte in front where the first bit
 * would read as a sign.
 */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const shortest = bytes.subarray(start);
  return element(
    0x02,
    ...((shortest[0] ?? 0) & 0x80 ? [Buffer.from([0])] : []),
    shortest.length === 0 ? Buffer.from([0]) : shortest,
  );
}

/** A bit string; the last `unusedBits` of the last byte don't count. */
export const bitString = (content: Uint8Array, unusedBits = 0) =>
  element(0x03, Buffer.from([unusedBits]), content);

/** An object identifier from its dotted text. */
export function objectIdentifier(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes: number[] = [];
  for (const arc of [first * 40 + second, ...rest]) {
    const digits = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      digits.unshift((left % 128) | 0x80);
    bytes.push(...digits);
  }
  return element(0x06, Buffer.from(bytes));
}

/** A time to the second: two-digit years up to 2049, four-digit ones after, as X.509 demands. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(digits.slice(2), 'latin1'))
    : element(0x18, Buffer.from(digits, 'latin1'));
}
