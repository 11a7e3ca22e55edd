import { DecodeError } from './decode-error.ts';

/** Length in bytes of an unsigned integer below 2^32 as varint. */
function varintSize(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5;
}

function writeVarint(target: Uint8Array, at: number, value: number): number {
  let position = at;
  let rest = value;
  for (; rest >= 128; rest >>>= 7) target[position++] = (rest & 127) | 128;
  target[position++] = rest;
  return position;
}

/** Reads a varint at `at` into `found`; a length beyond the input is an error. */
function readLength(bytes: Uint8Array, at: number, found: { value: number; next: number }): void {
  let value = 0;
  let position = at;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = bytes[position++];
    if (byte === undefined) break;
    value |= (byte & 127) << shift;
    if (byte < 128) {
      found.value = value >>> 0;
      found.next = position;
      if (found.value + position <= bytes.length) return;
      break;
    }
  }
  throw new DecodeError('unexpected EOF');
}

const metadataTag = 0x0a;
/** Tags of the strings before the version in ObjectMeta: name, generateName, namespace, selfLink, uid. */
const lastTagBefore = 0x2a;
const versionTag = 0x32;
const length = { value: 0, next: 0 };

/** Position of the version in an object's message. Indices count from the start of the bytes. */
export interface VersionPosition {
  /** Index of the message's first byte, and of the byte after its last. */
  readonly start: number;
  readonly end: number;
  /** Index of the first byte of the metadata message, and its length. */
  readonly metadata: number;
  readonly metadataSize: number;
  /** Index of the version's tag, and of the byte after its string. Equal if it is missing. */
  readonly from: number;
  readonly to: number;
}

/**
 * Finds `metadata.resourceVersion` in an object's message (without envelope), whose first field is its
 * ObjectMeta.
 * @param start start of the message in `bytes`, `end` its end
 * @throws DecodeError otherwise
 */
export function findResourceVersion(bytes: Uint8Array, start = 0, end = bytes.length): VersionPosition {
  if (bytes[start] !== metadataTag) throw new DecodeError('the message does not start with metadata');
  readLength(bytes, start + 1, length);
  const { next: metadata, value: metadataSize } = length;
  const metadataEnd = metadata + metadataSize;
  if (metadataEnd > end) throw new DecodeError('unexpected EOF');
  let at = metadata;
  while (at < metadataEnd && bytes[at]! <= lastTagBefore) {
    readLength(bytes, at + 1, length);
    at = length.next + length.value;
  }
  if (at > metadataEnd) throw new DecodeError('unexpected EOF');
  if (at === metadataEnd || bytes[at] !== versionTag)
    return { start, end, metadata, metadataSize, from: at, to: at };
  readLength(bytes, at + 1, length);
  const to = length.next + length.value;
  if (to > metadataEnd) throw new DecodeError('unexpected EOF');
  return { start, end, metadata, metadataSize, from: at, to };
}

/** Size of a message with another version. */
export function sizeWithVersion(
  { end, metadata, metadataSize, from, to }: VersionPosition,
  revision: string,
): number {
  const size = metadataSize - (to - from) + 2 + revision.length;
  return 1 + varintSize(size) + size + end - metadata - metadataSize;
}

/**
 * Writes an object's message up to its resourceVersion, which is replaced, into `target` at `at`, and returns the index
 * after it. The rest of the message follows: the given bytes from `position.to` to `position.end`.
 * @param bytes the bytes that `position` refers to
 * @param revision ASCII digits, fewer than 128
 */
export function writeHeadWithVersion(
  target: Uint8Array,
  at: number,
  bytes: Uint8Array,
  position: VersionPosition,
  revision: string,
): number {
  const { metadata, metadataSize, from, to } = position;
  let next = at;
  target[next++] = metadataTag;
  next = writeVarint(target, next, metadataSize - (to - from) + 2 + revision.length);
  target.set(bytes.subarray(metadata, from), next);
  next += from - metadata;
  target[next++] = versionTag;
  target[next++] = revision.length;
  for (let index = 0; index < revision.length; index++) target[next++] = revision.charCodeAt(index);
  return next;
}

/**
 * Sets `metadata.resourceVersion` in the bytes of an object's message (without envelope) without decoding
 * them. Stored messages have an empty version; any other is replaced.
 * @throws DecodeError when the message does not start with its ObjectMeta
 */
export function spliceResourceVersion(message: Uint8Array, revision: string): Buffer {
  const position = findResourceVersion(message);
  const spliced = Buffer.allocUnsafe(sizeWithVersion(position, revision));
  const rest = writeHeadWithVersion(spliced, 0, message, position, revision);
  spliced.set(message.subarray(position.to, position.end), rest);
  return spliced;
}

const itemsTag = 0x12;

/**
 * Size of a list item: its tag (`items` is field 2 of every list), its length and a message of `size` bytes.
 */
export function listItemSize(size: number): number {
  return 1 + varintSize(size) + size;
}

/**
 * Writes tag and length of a list item whose message has `size` bytes into `target` at `at`, and returns the
 * index after them.
 */
export function writeListItemHead(target: Uint8Array, at: number, size: number): number {
  target[at] = itemsTag;
  return writeVarint(target, at + 1, size);
}

/** Tag and length of a member of a list, by default an item, whose message has `size` bytes. */
export function listItemHead(size: number, tag: number = itemsTag): Buffer {
  const head = Buffer.allocUnsafe(1 + varintSize(size));
  head[0] = tag;
  writeVarint(head, 1, size);
  return head;
}
