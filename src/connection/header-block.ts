import { decodeHuffman, mayContainForbiddenBytes } from './huffman.ts';

/**
 * Result of checking a block of HTTP/2 headers. `remembered`: the header is in the dynamic table, and a later
 * block may refer to it by index.
 */
export type HeaderDefect = 'none' | 'once' | 'remembered';

const NAME_CHARACTERS = new Uint8Array(256);
for (const character of "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz")
  NAME_CHARACTERS[character.charCodeAt(0)] = 1;
const COLON = 0x3a;
const TAB = 0x09;
const SPACE = 0x20;
const DELETE = 0x7f;

/**
 * Finds literal header names and values in a complete block (RFC 7541) that HTTP forbids: control characters,
 * white space at the ends of a value, and names that are not a token. Indexed fields were checked as literals
 * before. A block that does not parse has no defect here: the HTTP/2 session rejects it.
 */
export function findHeaderDefect(block: Uint8Array): HeaderDefect {
  const reader = new BlockReader(block);
  let defect: HeaderDefect = 'none';
  while (reader.position < block.length) {
    const first = block[reader.position]!;
    if (first >= 0x80) {
      if (reader.integer(7) < 0) return defect;
      continue;
    }
    if (first >> 5 === 1) {
      if (reader.integer(5) < 0) return defect;
      continue;
    }
    const isRemembered = first >= 0x40;
    const index = reader.integer(isRemembered ? 6 : 4);
    if (index < 0) return defect;
    const isNameGood = index > 0 || reader.string(isGoodName, () => true);
    const isValueGood =
      isNameGood !== undefined ? reader.string(isGoodValue, mayContainForbiddenBytes) : undefined;
    if (isNameGood === undefined || isValueGood === undefined) return defect;
    if (isNameGood && isValueGood) continue;
    if (isRemembered) return 'remembered';
    defect = 'once';
  }
  return defect;
}

class BlockReader {
  position = 0;
  readonly #block: Uint8Array;

  constructor(block: Uint8Array) {
    this.#block = block;
  }

  /** Reads an integer with a prefix of `bits` bits; negative when it is truncated or too large. */
  integer(bits: number): number {
    const block = this.#block;
    const most = 2 ** bits - 1;
    const prefix = block[this.position]! & most;
    this.position += 1;
    if (prefix < most) return prefix;
    let value = most;
    for (let scale = 1; scale < 2 ** 35; scale *= 128) {
      const byte = block[this.position];
      if (byte === undefined) return -1;
      this.position += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    return -1;
  }

  /**
   * Reads a string and checks it; undefined when it is truncated. @param isSuspect whether a Huffman-coded
   * string must be decoded for the check
   */
  string(
    isGood: (bytes: Uint8Array) => boolean,
    isSuspect: (coded: Uint8Array) => boolean,
  ): boolean | undefined {
    const block = this.#block;
    if (this.position >= block.length) return undefined;
    const isCoded = block[this.position]! >= 0x80;
    const length = this.integer(7);
    if (length < 0 || this.position + length > block.length) return undefined;
    const bytes = block.subarray(this.position, this.position + length);
    this.position += length;
    if (!isCoded) return isGood(bytes);
    if (!isSuspect(bytes)) return true;
    const decoded = decodeHuffman(bytes);
    return decoded === undefined ? undefined : isGood(decoded);
  }
}

function isGoodName(name: Uint8Array): boolean {
  if (name.length === 0) return false;
  for (let index = 0; index < name.length; index++) {
    const byte = name[index]!;
    if (NAME_CHARACTERS[byte] === 0 && !(index === 0 && byte === COLON)) return false;
  }
  return true;
}

const isWhiteSpace = (byte: number | undefined): boolean => byte === SPACE || byte === TAB;

function isGoodValue(value: Uint8Array): boolean {
  if (isWhiteSpace(value[0]) || isWhiteSpace(value.at(-1))) return false;
  for (const byte of value) if ((byte < SPACE && byte !== TAB) || byte === DELETE) return false;
  return true;
}
