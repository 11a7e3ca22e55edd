/** One element of DER: its tag byte, its content, and where it ends in what was read. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  readonly end: number;
}

export const DER = {
  boolean: 0x01,
  integer: 0x02,
  octets: 0x04,
  oid: 0x06,
  sequence: 0x30,
  extensions: 0xa3,
} as const;

/** @throws RangeError for an element that is cut off or has a length form that certificates don't use */
export function readElement(bytes: Buffer, from: number): DerElement {
  const tag = bytes.readUInt8(from);
  const first = bytes.readUInt8(from + 1);
  let start = from + 2;
  let length = first;
  if (first >= 0x80) {
    const size = first & 0x7f;
    if (size === 0 || size > 4) throw new RangeError('DER: unsupported length');
    length = bytes.readUIntBE(start, size);
    start += size;
  }
  const end = start + length;
  if (end > bytes.length) throw new RangeError('DER: element is cut off');
  return { tag, content: bytes.subarray(start, end), end };
}

/** The elements of a constructed one. */
export function readChildren(content: Buffer): DerElement[] {
  const children: DerElement[] = [];
  for (let position = 0; position < content.length; ) {
    const child = readElement(content, position);
    children.push(child);
    position = child.end;
  }
  return children;
}

/** An object identifier in its dotted form. */
export function oidText(content: Buffer): string {
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
