import { nanosecondsOfTime, secondsOfTime } from './protobuf-time.ts';

/*
 * Protobuf is written from the last byte to the first: the length of a nested message is known when its header
 * is written, so nothing is measured in advance or moved afterwards. Every function here writes before
 * `position` and returns the new position. None checks for space: a negative position is the number of missing
 * bytes, and writes there are discarded.
 */

const initialSize = 64 * 1024;
/** Larger buffers, grown for one huge object, are not kept. */
const largestRetained = 4 * 1024 * 1024;
let shared = Buffer.allocUnsafeSlow(initialSize);

/** Runs `write` from the end of a sufficiently large buffer, and returns a copy of the written bytes. */
export function writeBackwards(write: (buffer: Buffer, position: number) => number): Buffer {
  let start = write(shared, shared.length);
  if (start < 0) {
    shared = Buffer.allocUnsafeSlow(2 * (shared.length - start));
    start = write(shared, shared.length);
  }
  const written = Buffer.allocUnsafe(shared.length - start);
  shared.copy(written, 0, start);
  if (shared.length > largestRetained) shared = Buffer.allocUnsafeSlow(initialSize);
  return written;
}

/** An unsigned integer below 2^53. */
export function writeVarint(buffer: Buffer, position: number, value: number): number {
  if (value < 0x80) {
    buffer[position - 1] = value;
    return position - 1;
  }
  if (value < 0x4000) {
    buffer[position - 1] = value >>> 7;
    buffer[position - 2] = (value & 127) | 128;
    return position - 2;
  }
  let size = 2;
  for (let rest = value; rest >= 0x4000; rest = Math.floor(rest / 128)) size++;
  let at = position - size;
  let rest = value;
  for (; rest >= 0x80000000; rest = Math.floor(rest / 128)) buffer[at++] = (rest % 128) | 128;
  for (; rest >= 128; rest >>>= 7) buffer[at++] = (rest & 127) | 128;
  buffer[at] = rest;
  return position - size;
}

/** A signed integer; negative ones take ten bytes. */
export function writeInteger(buffer: Buffer, position: number, value: number | bigint): number {
  if (typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER)
    return writeVarint(buffer, position, value);
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  const start = position - bytes.length;
  if (start >= 0) buffer.set(bytes, start);
  return start;
}

export function writeDouble(buffer: Buffer, position: number, value: number): number {
  if (position >= 8) buffer.writeDoubleLE(value, position - 8);
  return position - 8;
}

/** Up to this length a loop over the characters is faster than a native call. */
const shortText = 40;

/** A string preceded by its length. */
export function writeString(buffer: Buffer, position: number, text: string): number {
  const { length } = text;
  if (length > shortText) return writeLongString(buffer, position, text);
  const start = position - length;
  let bits = 0;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    buffer[start + index] = code;
    bits |= code;
  }
  if (bits > 127) return writeLongString(buffer, position, text);
  buffer[start - 1] = length;
  return start - 1;
}

function writeLongString(buffer: Buffer, position: number, text: string): number {
  const size = Buffer.byteLength(text);
  const start = position - size;
  if (start >= 0) {
    // With as many bytes as characters it is ASCII, which is copied directly.
    if (size === text.length) buffer.write(text, start, size, 'latin1');
    else buffer.write(text, start, size, 'utf8');
  }
  return writeVarint(buffer, start, size);
}

/** Bytes preceded by their length. */
export function writeBytes(buffer: Buffer, position: number, bytes: Uint8Array): number {
  const start = position - bytes.length;
  if (start >= 0) buffer.set(bytes, start);
  return writeVarint(buffer, start, bytes.length);
}

/** Bytes given as a base64 string, preceded by their length. Canonical text is decoded in place. */
export function writeBase64(buffer: Buffer, position: number, text: string): number {
  const length = Buffer.byteLength(text, 'base64');
  const start = position - length;
  if (start >= 0 && buffer.write(text, start, length, 'base64') !== length)
    return writeBytes(buffer, position, Buffer.from(text, 'base64'));
  return writeVarint(buffer, start, length);
}

function writeTimestamp(buffer: Buffer, position: number, seconds: number, nanoseconds: number): number {
  let next = writeVarint(buffer, position, nanoseconds);
  buffer[--next] = 0x10;
  next = writeInteger(buffer, next, seconds);
  buffer[--next] = 0x08;
  return next;
}

/** The body of a Timestamp message. */
export function writeTime(buffer: Buffer, position: number, text: string): number {
  return writeTimestamp(buffer, position, secondsOfTime(text), 0);
}

/** The body of a Timestamp message with a fraction. */
export function writeMicroTime(buffer: Buffer, position: number, text: string): number {
  return writeTimestamp(buffer, position, secondsOfTime(text), nanosecondsOfTime(text));
}

const aboveSurrogates = /[\ud800-\uffff]/;

/** Keys in reverse order of their UTF-8 bytes: maps are written backwards, too. */
export function keysBackwards(map: object): string[] {
  const keys = Object.keys(map);
  if (keys.length < 2) return keys;
  keys.sort();
  // UTF-16 order differs from byte order only between surrogates and characters above them.
  if (keys.some((key) => aboveSurrogates.test(key)))
    keys.sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
  return keys.reverse();
}
