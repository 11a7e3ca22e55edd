import { DynamicTable, ENTRY_OVERHEAD } from './dynamic-table.ts';
import { type FieldName, fieldName } from './field-names.ts';
import { huffmanLength, writeHuffman } from './huffman-encoder.ts';
import { STATIC_ENTRIES, STATIC_NAMES, STATIC_VALUES } from './static-table.ts';

/** Size of the dynamic table until the peer's SETTINGS_HEADER_TABLE_SIZE arrives, and the most that is used. */
const TABLE_BYTES = 4096;
/** Larger fields are not indexed: they would evict most others. */
const LARGEST_INDEXED = 1024;

const INDEXED = 0x80;
const WITH_INDEXING = 0x40;
const SIZE_UPDATE = 0x20;
const NEVER_INDEXED = 0x10;
const WITHOUT_INDEXING = 0;
const HUFFMAN = 0x80;

/** Bytes of a field beside its name and value: three integers. */
const FIELD_OVERHEAD = 15;
/** Bytes of two size updates and the status. */
const START_OVERHEAD = 20;
const STATUS_NAME = ':status';

/** Where blocks are written before they are copied; it grows to the largest one and stays below 64 kB. */
let scratch = Buffer.allocUnsafeSlow(4096);
const LARGEST_KEPT = 64 << 10;

/** Static entries with a status code, by code. */
const staticStatus = new Map(
  STATIC_NAMES.flatMap((name, index) =>
    name === STATUS_NAME ? [[Number(STATIC_VALUES[index]), index] as const] : [],
  ),
);

/**
 * Encodes the response headers of one connection (RFC 7541). Blocks must be sent in the order in which they were
 * encoded.
 */
export class HpackEncoder {
  readonly #table = new DynamicTable(TABLE_BYTES);
  /** The table size that the peer knows. */
  #announced = TABLE_BYTES;
  /** The table size from the next block on, and the least since the last one. */
  #size = TABLE_BYTES;
  #least = TABLE_BYTES;

  /**
   * Uses the peer's SETTINGS_HEADER_TABLE_SIZE from the next block on, which starts with a table size update: the
   * least of several first, then the last (RFC 7541, section 4.2).
   */
  setMaximumTableSize(size: number): void {
    this.#size = Math.min(size, TABLE_BYTES);
    this.#least = Math.min(this.#least, this.#size);
  }

  /**
   * Encodes a header block.
   * @param fields name, value, name, value …: names in lower case, one character per byte
   * @param gap bytes left free before the block, for a frame header
   */
  encode(status: number, fields: readonly string[], gap = 0): Buffer {
    let most = START_OVERHEAD;
    for (let index = 0; index < fields.length; index += 2)
      most += fields[index]!.length + fields[index + 1]!.length + FIELD_OVERHEAD;
    const target = most <= scratch.length ? scratch : roomFor(most);
    const end = this.#write(status, fields, target);
    const block = Buffer.allocUnsafe(gap + end);
    target.copy(block, gap, 0, end);
    return block;
  }

  #write(status: number, fields: readonly string[], target: Uint8Array): number {
    let end = this.#size === this.#announced && this.#least === this.#size ? 0 : this.#writeSize(target);
    const known = staticStatus.get(status);
    if (known !== undefined) target[end++] = INDEXED | known;
    else end = this.#writeIndexed(fieldName(STATUS_NAME), String(status), target, end);
    for (let index = 0; index < fields.length; index += 2) {
      const name = fieldName(fields[index]!);
      const value = fields[index + 1]!;
      end =
        name.indexing === 'indexed' && name.name.length + value.length + ENTRY_OVERHEAD <= LARGEST_INDEXED
          ? this.#writeIndexed(name, value, target, end)
          : this.#writeLiteral(name, value, target, end);
    }
    return end;
  }

  #writeSize(target: Uint8Array): number {
    let end = 0;
    if (this.#least < this.#size) {
      this.#table.resize(this.#least);
      end = writeInteger(this.#least, 5, SIZE_UPDATE, target, end);
    }
    this.#table.resize(this.#size);
    this.#announced = this.#size;
    this.#least = this.#size;
    return writeInteger(this.#size, 5, SIZE_UPDATE, target, end);
  }

  /** Refers to an entry of the dynamic table, or adds one. */
  #writeIndexed(field: FieldName, value: string, target: Uint8Array, start: number): number {
    const found = this.#table.find(field.name, value);
    if (found >= 0) return writeInteger(STATIC_ENTRIES + 1 + found, 7, INDEXED, target, start);
    const afterName = this.#writeName(field, 6, WITH_INDEXING, target, start);
    this.#table.add(field.name, value);
    const coded = huffmanLength(value);
    if (coded >= value.length) return writePlain(value, target, afterName);
    return writeHuffman(value, target, writeInteger(coded, 7, HUFFMAN, target, afterName));
  }

  /** Values that are written once are not Huffman-coded: a few bytes are not worth the time. */
  #writeLiteral(field: FieldName, value: string, target: Uint8Array, start: number): number {
    const kind = field.indexing === 'secret' ? NEVER_INDEXED : WITHOUT_INDEXING;
    return writePlain(value, target, this.#writeName(field, 4, kind, target, start));
  }

  #writeName(field: FieldName, prefixBits: number, kind: number, target: Uint8Array, start: number): number {
    if (field.index > 0) return writeInteger(field.index, prefixBits, kind, target, start);
    const found = this.#table.findName(field.name);
    if (found >= 0) return writeInteger(STATIC_ENTRIES + 1 + found, prefixBits, kind, target, start);
    target[start] = kind;
    return writePlain(field.name, target, start + 1);
  }
}

function roomFor(bytes: number): Buffer {
  const buffer = Buffer.allocUnsafeSlow(bytes);
  if (bytes <= LARGEST_KEPT) scratch = buffer;
  return buffer;
}

/** RFC 7541, section 5.1; `flags` are the bits before the prefix. */
function writeInteger(
  value: number,
  prefixBits: number,
  flags: number,
  target: Uint8Array,
  start: number,
): number {
  const most = (1 << prefixBits) - 1;
  if (value < most) {
    target[start] = flags | value;
    return start + 1;
  }
  target[start] = flags | most;
  let position = start + 1;
  let rest = value - most;
  for (; rest >= 0x80; rest >>>= 7) target[position++] = (rest & 0x7f) | 0x80;
  target[position] = rest;
  return position + 1;
}

function writePlain(text: string, target: Uint8Array, start: number): number {
  const end = writeInteger(text.length, 7, 0, target, start);
  for (let index = 0; index < text.length; index += 1) target[end + index] = text.charCodeAt(index);
  return end + text.length;
}
