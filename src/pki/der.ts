/**
 * DER, the encoding of X.509 (ITU-T X.690): the types that certificates and certificate requests consist of.
 * Every writing function returns one complete element.
 */

/** Tag bytes of universal types. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Tag byte of an explicit (constructed) context tag. */
export const explicitTag = (tag: number): number => 0xa0 | tag;
/** Tag byte of an implicit context tag of a primitive type. */
export const implicitTag = (tag: number): number => 0x80 | tag;

/** One element: its tag byte, its content, its whole encoding, and where it ends in the input. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  /** Tag, length and content. */
  readonly raw: Buffer;
  readonly end: number;
}

/** @throws RangeError for a truncated element or a length form that certificates do not use */
export function readElement(bytes: Buffer, from = 0): DerElement {
  const tag = bytes.readUInt8(from);
  const first = bytes.readUInt8(from + 1);
  let start = from + 2;
  let length = first;
  if (first >= 0x80) {
    const size = first & 0x7f;
    if (size === 0 || size > 4) throw new RangeError('DER: unsupported length form');
    length = bytes.readUIntBE(start, size);
    start += size;
  }
  const end = start + length;
  if (end > bytes.length) throw new RangeError('DER: truncated element');
  return { tag, content: bytes.subarray(start, end), raw: bytes.subarray(from, end), end };
}

/**
 * The elements in the content of a constructed element.
 * @throws RangeError as {@link readElement}
 */
export function readChildren(content: Buffer): DerElement[] {
  const children: DerElement[] = [];
  for (let position = 0; position < content.length; ) {
    const child = readElement(content, position);
    children.push(child);
    position = child.end;
  }
  return children;
}

/** The dotted form of an object identifier's content. */
export function readObjectIdentifier(content: Buffer): string {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      numbers.push(value);
      value = 0;
    }
  }
  const first = Math.min(2, Math.floor((numbers[0] ?? 0) / 40));
  return [first, (numbers[0] ?? 0) - first * 40, ...numbers.slice(1)].join('.');
}

/** Whether the bytes are exactly one DER sequence: not truncated, and without trailing data. */
export function isSequence(bytes: Buffer): boolean {
  try {
    const { tag, end } = readElement(bytes);
    return tag === TAG.sequence && end === bytes.length;
  } catch {
    return false;
  }
}

function writeElement(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(length)]), ...parts]);
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return [0x80 | bytes.length, ...bytes];
}

export const sequence = (...parts: readonly Uint8Array[]) => writeElement(TAG.sequence, ...parts);
export const set = (...parts: readonly Uint8Array[]) => writeElement(TAG.set, ...parts);
export const boolean = (value: boolean) => writeElement(TAG.boolean, Buffer.from([value ? 0xff : 0]));
export const octetString = (content: Uint8Array) => writeElement(TAG.octetString, content);
export const utf8String = (text: string) => writeElement(TAG.utf8String, Buffer.from(text, 'utf8'));

/** An explicit context tag around an element. */
export const explicit = (tag: number, content: Uint8Array) => writeElement(explicitTag(tag), content);
/** A primitive element under an implicit context tag. */
export const implicit = (tag: number, content: Uint8Array) => writeElement(implicitTag(tag), content);

/**
 * An unsigned integer, big-endian. DER requires the shortest form, with a leading zero byte where the first
 * bit would be read as the sign.
 */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const shortest = bytes.subarray(start);
  return writeElement(
    TAG.integer,
    ...((shortest[0] ?? 0) & 0x80 ? [Buffer.from([0])] : []),
    shortest.length === 0 ? Buffer.from([0]) : shortest,
  );
}

/** A bit string; the last `unusedBits` of the last byte are padding. */
export const bitString = (content: Uint8Array, unusedBits = 0) =>
  writeElement(TAG.bitString, Buffer.from([unusedBits]), content);

/** An object identifier from its dotted form. */
export function objectIdentifier(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes: number[] = [];
  for (const arc of [first * 40 + second, ...rest]) {
    const digits = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      digits.unshift((left % 128) | 0x80);
    bytes.push(...digits);
  }
  return writeElement(TAG.objectIdentifier, Buffer.from(bytes));
}

/** A time in seconds: UTCTime up to 2049, GeneralizedTime after (RFC 5280). */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050
    ? writeElement(TAG.utcTime, Buffer.from(digits.slice(2), 'latin1'))
    : writeElement(TAG.generalizedTime, Buffer.from(digits, 'latin1'));
}
