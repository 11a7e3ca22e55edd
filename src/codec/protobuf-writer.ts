import { nanosecondsOfTime, secondsOfTime } from './protobuf-time.ts';

const initialSize = 64 * 1024;
/** A buffer that one huge object made larger than this isn't kept. */
const largestKept = 4 * 1024 * 1024;

/**
 * Writes protobuf from the last byte to the first: the length of a nested message is known when its header is due, so nothing is
 * measured beforehand or moved afterwards. One writer serves all encodings, which run to completion one after the other.
 */
export class ProtobufWriter {
  buffer: Buffer = Buffer.allocUnsafeSlow(initialSize);
  /** Index of the first byte written. */
  start: number = initialSize;

  reset(): void {
    if (this.buffer.length > largestKept) this.buffer = Buffer.allocUnsafeSlow(initialSize);
    this.start = this.buffer.length;
  }

  /** Bytes written so far. */
  get size(): number {
    return this.buffer.length - this.start;
  }

  /** A copy of what was written. */
  finish(): Buffer {
    return Buffer.from(this.buffer.subarray(this.start));
  }

  /** Makes room for so many more bytes and gives the index of the first. */
  reserve(size: number): number {
    if (this.start < size) this.grow(size);
    this.start -= size;
    return this.start;
  }

  private grow(size: number): void {
    const used = this.size;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.buffer.length * 2, used + size + initialSize));
    this.buffer.copy(larger, larger.length - used, this.start);
    this.buffer = larger;
    this.start = larger.length - used;
  }

  byte(value: number): void {
    if (this.start < 1) this.grow(1);
    this.buffer[--this.start] = value;
  }

  /** An unsigned integer below 2^53. */
  varint(value: number): void {
    if (value < 128) {
      this.byte(value);
      return;
    }
    let size = 1;
    for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++;
    let at = this.reserve(size);
    let rest = value;
    for (; rest >= 0x80000000; rest = Math.floor(rest / 128)) this.buffer[at++] = (rest % 128) | 128;
    for (; rest >= 128; rest >>>= 7) this.buffer[at++] = (rest & 127) | 128;
    this.buffer[at] = rest;
  }

  /** A signed integer; negative ones take ten bytes. */
  integer(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER) {
      this.varint(value);
      return;
    }
    let rest = BigInt.asUintN(64, BigInt(value));
    const bytes: number[] = [];
    for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
    bytes.push(Number(rest));
    this.buffer.set(bytes, this.reserve(bytes.length));
  }

  double(value: number): void {
    const at = this.reserve(8);
    this.buffer.writeDoubleLE(value, at);
  }

  /** A text with its length before it. */
  string(text: string): void {
    const { length } = text;
    if (length < 48) {
      let at = this.reserve(length);
      const { buffer } = this;
      for (let index = 0; index < length; index++) {
        const code = text.charCodeAt(index);
        if (code > 127) {
          this.start += length;
          this.longString(text);
          return;
        }
        buffer[at++] = code;
      }
      this.byte(length);
      return;
    }
    this.longString(text);
  }

  private longString(text: string): void {
    const size = Buffer.byteLength(text);
    const at = this.reserve(size);
    // Latin-1 is copied as it stands; with as many bytes as characters it is ASCII.
    if (size === text.length) this.buffer.latin1Write(text, at, size);
    else this.buffer.utf8Write(text, at, size);
    this.varint(size);
  }

  /** Bytes given as base64 text, with their length before them. */
  base64(text: string): void {
    const bytes = Buffer.from(text, 'base64');
    this.bytes(bytes);
  }

  /** Bytes with their length before them. */
  bytes(bytes: Uint8Array): void {
    this.buffer.set(bytes, this.reserve(bytes.length));
    this.varint(bytes.length);
  }

  /** The body of a Timestamp message. */
  time(text: string): void {
    this.byte(0);
    this.byte(0x10);
    this.integer(secondsOfTime(text));
    this.byte(0x08);
  }

  /** The body of a Timestamp message with a fraction. */
  microTime(text: string): void {
    this.varint(nanosecondsOfTime(text));
    this.byte(0x10);
    this.integer(secondsOfTime(text));
    this.byte(0x08);
  }
}

/** Keys in the order of their UTF-8 bytes, last one first: maps are written backwards too. */
export function keysBackwards(map: object): string[] {
  const keys = Object.keys(map);
  if (keys.length < 2) return keys;
  keys.sort();
  // UTF-16 order differs from byte order only where surrogates meet characters above them.
  if (keys.some((key) => /[\ud800-\uffff]/.test(key))) keys.sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
  return keys.reverse();
}
