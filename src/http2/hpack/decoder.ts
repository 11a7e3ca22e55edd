import { DynamicTable, ENTRY_OVERHEAD } from './dynamic-table.ts';
import { HpackError } from './errors.ts';
import { decodeHuffman } from './huffman-decoder.ts';
import { latin1 } from './latin1.ts';
import { STATIC_ENTRIES, STATIC_NAMES, STATIC_VALUES, staticNameIndex } from './static-table.ts';

/** A decoded header block. */
export interface DecodedHeaders {
  /** name, value, name, value …, in the order of the block; one character per byte. */
  readonly fields: string[];
  /** Whether the block exceeds a limit; the fields from there on are missing. */
  readonly overflowed: boolean;
}

/** First byte of a field (RFC 7541, section 6). */
const INDEXED = 0x80;
const WITH_INDEXING = 0x40;
const SIZE_UPDATE = 0x20;
const HUFFMAN = 0x80;
/** The bits of an indexed field whose index takes further bytes. */
const LONGER_INDEX = 0x7f;
const NO_INDEX = 'a header field has index 0';
/** An integer has at most this many bits after its prefix: enough for every block, and nothing overflows. */
const INTEGER_BITS = 28;

/**
 * Some clients send it as a literal that is never indexed, in each request. It is long, and remembered as coded:
 * comparing is faster than decoding, and a token cache finds the same string faster.
 */
const CREDENTIALS = 'authorization';
const LONGEST_CREDENTIALS = 4096;

const EMPTY = Buffer.alloc(0);

/**
 * Decodes the header blocks of one connection in their order (RFC 7541). Work and memory are in step with the
 * length of the block: an indexed field refers to the string in the table.
 */
export class HpackDecoder {
  readonly #table: DynamicTable;
  readonly #maximumTableSize: number;
  #credentialBytes = EMPTY;
  #credentialText = '';
  #block: Uint8Array = EMPTY;
  #position = 0;
  #end = 0;

  /** @param maximumTableSize bytes of the dynamic table: the SETTINGS_HEADER_TABLE_SIZE sent to the peer */
  constructor(maximumTableSize: number) {
    this.#maximumTableSize = maximumTableSize;
    this.#table = new DynamicTable(maximumTableSize);
  }

  /**
   * Decodes one complete header block.
   * @param limit sum of the sizes of the fields (name + value + 32); fields from the first that exceeds it are
   * dropped, but the dynamic table is kept in step with the peer's
   * @param maximumFields further fields are dropped in the same way
   * @throws HpackError if the block is malformed; the decoder cannot be used any more
   */
  decode(
    block: Uint8Array,
    start: number,
    end: number,
    limit: number,
    maximumFields: number,
  ): DecodedHeaders {
    this.#block = block;
    this.#position = start;
    this.#end = end;
    try {
      return this.#decode(limit, maximumFields);
    } finally {
      // The block may be a part of a large buffer.
      this.#block = EMPTY;
    }
  }

  #decode(limit: number, maximumFields: number): DecodedHeaders {
    this.#resize();
    const table = this.#table;
    const block = this.#block;
    const fields: string[] = [];
    let room = limit;
    let overflowed = false;
    while (this.#position < this.#end) {
      const first = block[this.#position]!;
      let name: string;
      let value: string;
      if (first >= INDEXED) {
        if (overflowed) {
          this.#skipIndexed();
          continue;
        }
        const index = this.#integer(7);
        if (index > STATIC_ENTRIES) {
          this.#check(index);
          name = table.name(index - STATIC_ENTRIES - 1);
          value = table.value(index - STATIC_ENTRIES - 1);
        } else {
          if (index === 0) throw new HpackError(NO_INDEX);
          name = STATIC_NAMES[index]!;
          value = STATIC_VALUES[index]!;
        }
      } else if (first >= WITH_INDEXING) {
        name = this.#name(6);
        value = this.#string();
        table.add(name, value);
      } else if (first >= SIZE_UPDATE) {
        throw new HpackError('a table size update follows a header field');
      } else if (overflowed) {
        // Nothing needs the strings.
        const index = this.#integer(4);
        if (index === 0) this.#skipString();
        else if (index > STATIC_ENTRIES) this.#check(index);
        this.#skipString();
        continue;
      } else {
        name = this.#name(4);
        value = name === CREDENTIALS ? this.#credentials() : this.#string();
      }
      if (overflowed) continue;
      room -= name.length + value.length + ENTRY_OVERHEAD;
      overflowed = room < 0 || fields.length >= maximumFields * 2;
      if (!overflowed) fields.push(name, value);
    }
    return { fields, overflowed };
  }

  /** Reads the table size updates, which are at the start of a block only (RFC 7541, section 4.2). */
  #resize(): void {
    while (this.#position < this.#end && this.#block[this.#position]! >> 5 === SIZE_UPDATE >> 5) {
      const size = this.#integer(5);
      if (size > this.#maximumTableSize)
        throw new HpackError(`a table size update exceeds ${this.#maximumTableSize} bytes`);
      this.#table.resize(size);
    }
  }

  /** Checks indexed fields that nothing needs: a block can have as many as it has bytes. */
  #skipIndexed(): void {
    const block = this.#block;
    const highest = Math.min(STATIC_ENTRIES + this.#table.length, LONGER_INDEX - 1);
    let position = this.#position;
    for (; position < this.#end; position += 1) {
      const index = block[position]! - INDEXED;
      if (index <= 0 || index > highest) break;
    }
    this.#position = position;
    if (position >= this.#end || block[position]! < INDEXED) return;
    const index = this.#integer(7);
    if (index === 0) throw new HpackError(NO_INDEX);
    if (index > STATIC_ENTRIES) this.#check(index);
  }

  #check(index: number): void {
    if (index - STATIC_ENTRIES > this.#table.length)
      throw new HpackError(`index ${index} is not in the header tables`);
  }

  /** The name of a literal field: that of an entry, or a string after the index 0. */
  #name(prefixBits: number): string {
    const index = this.#integer(prefixBits);
    if (index === 0) {
      const name = this.#string();
      // The table's own string is compared faster by those who look for a header.
      return STATIC_NAMES[staticNameIndex.get(name) ?? 0] || name;
    }
    if (index <= STATIC_ENTRIES) return STATIC_NAMES[index]!;
    this.#check(index);
    return this.#table.name(index - STATIC_ENTRIES - 1);
  }

  /** RFC 7541, section 5.1. */
  #integer(prefixBits: number): number {
    const most = (1 << prefixBits) - 1;
    const prefix = this.#block[this.#position++]! & most;
    if (prefix < most) return prefix;
    let value = most;
    for (let shift = 0; shift < INTEGER_BITS; shift += 7) {
      if (this.#position >= this.#end) throw new HpackError('a header block is truncated');
      const byte = this.#block[this.#position++]!;
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new HpackError('an integer in a header block is too large');
  }

  /** Reads the length of a string and checks that the block contains it. */
  #length(): number {
    if (this.#position >= this.#end) throw new HpackError('a header block is truncated');
    const length = this.#integer(7);
    if (length > this.#end - this.#position) throw new HpackError('a header block is truncated');
    return length;
  }

  #string(): string {
    const isCoded = this.#block[this.#position]! >= HUFFMAN;
    const length = this.#length();
    const start = this.#position;
    this.#position = start + length;
    if (length === 0) return '';
    return isCoded
      ? decodeHuffman(this.#block, start, this.#position)
      : latin1(this.#block, start, this.#position);
  }

  #credentials(): string {
    const start = this.#position;
    const known = this.#credentialBytes;
    // With its length and the Huffman flag in front, no string is the start of another.
    const end = start + known.length;
    if (known.length > 0 && end <= this.#end && known.compare(this.#block, start, end) === 0) {
      this.#position = end;
      return this.#credentialText;
    }
    const text = this.#string();
    if (this.#position - start <= LONGEST_CREDENTIALS) {
      // Not of the shared pool, which it would pin.
      this.#credentialBytes = Buffer.allocUnsafeSlow(this.#position - start);
      this.#credentialBytes.set(this.#block.subarray(start, this.#position));
      this.#credentialText = text;
    }
    return text;
  }

  #skipString(): void {
    const length = this.#length();
    this.#position += length;
  }
}
