import { HpackDecoder } from '../../../src/http2/hpack/decoder.ts';

/** Bytes of the dynamic table until a peer says otherwise. */
export const TABLE_BYTES = 4096;
const NO_LIMIT = 1 << 24;

/** Decodes whole blocks of one connection; hexadecimal digits or bytes. */
export function newDecoder(tableBytes = TABLE_BYTES): (block: string | Uint8Array) => string[] {
  const decoder = new HpackDecoder(tableBytes);
  return (block) => {
    const bytes = typeof block === 'string' ? Buffer.from(block, 'hex') : block;
    return decoder.decode(bytes, 0, bytes.length, NO_LIMIT, NO_LIMIT).fields;
  };
}

/** A literal field that is added to the table, without Huffman coding; lengths below 127. */
export const literal = (name: string, value: string, kind = 0x40): Buffer =>
  Buffer.concat([
    Buffer.from([kind, name.length]),
    Buffer.from(name, 'latin1'),
    integer(value.length, 7),
    Buffer.from(value, 'latin1'),
  ]);

/** An integer with a prefix of `bits` bits, after `flags` (RFC 7541, section 5.1). */
export function integer(value: number, bits: number, flags = 0): Buffer {
  const most = 2 ** bits - 1;
  if (value < most) return Buffer.from([flags | value]);
  const bytes = [flags | most];
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}
