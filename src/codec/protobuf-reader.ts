import { RawJson } from '../model/object.ts';
import { canonicalQuantity, QuantityError } from '../model/quantity.ts';
import { runNow } from '../steps/run.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import { DecodeError } from './decode-error.ts';
import { parsingJson } from './json-parse.ts';
import { maximumJsonDepth } from './json-scan.ts';
import { TooManyPartsError } from './parts.ts';
import { timeOfSeconds } from './protobuf-time.ts';

/** Messages nested deeper than this are refused. */
const maximumDepth = 100;
/** Characters of free-form JSON that is not nested too deeply in any case. */
const SHALLOW_CHARACTERS = 2 * maximumJsonDepth;

/**
 * Reads protobuf with bounds checks. Every `end` is within the input: lengths are checked when they are read,
 * and no byte beyond the innermost end is accessed. Errors are DecodeErrors.
 */
export class ProtobufReader {
  buffer: Buffer = Buffer.alloc(0);
  /** Index of the next byte. */
  position = 0;
  depth = 0;
  /** Unknown fields of messages that were skipped. */
  unknown = 0;
  /** The input comes from a client: quantities are canonicalized and free-form JSON is validated. */
  untrusted = false;
  /** Number of fields and packed values read. */
  fields = 0;
  /** Maximum number of fields and packed values. */
  limit = Number.POSITIVE_INFINITY;
  private pauseAt = stepSizes.values;

  enter(): void {
    if (++this.depth > maximumDepth) throw new DecodeError('exceeded max depth');
  }

  private truncated(): DecodeError {
    return new DecodeError('unexpected EOF');
  }

  /** A tag, length or other integer below 2^32; the upper bits of longer ones are dropped as in Go. */
  unsigned(end: number): number {
    const { buffer } = this;
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.position >= end) throw this.truncated();
      const byte = buffer[this.position++]!;
      if (shift < 32) value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
    throw new DecodeError('proto: integer overflow');
  }

  /** Whether decoding in steps is to pause: after every few fields. */
  isPause(): boolean {
    if (this.fields < this.pauseAt) return false;
    this.pauseAt = this.fields + stepSizes.values;
    return true;
  }

  /** @throws TooManyPartsError beyond the limit */
  count(): void {
    if (++this.fields > this.limit) throw new TooManyPartsError();
  }

  tag(end: number): number {
    this.count();
    const first = this.buffer[this.position]!;
    if (first < 128) {
      this.position++;
      return first;
    }
    return this.unsigned(end);
  }

  int32(end: number): number {
    const first = this.buffer[this.position]!;
    if (first < 128 && this.position < end) {
      this.position++;
      return first;
    }
    return this.unsigned(end) | 0;
  }

  boolean(end: number): boolean {
    return this.int64(end) !== 0;
  }

  /** A number if it is exact, otherwise a bigint. */
  int64(end: number): number | bigint {
    const { buffer } = this;
    const from = this.position;
    let low = 0;
    let scale = 1;
    for (let index = 0; index < 7; index++) {
      if (this.position >= end) throw this.truncated();
      const byte = buffer[this.position++]!;
      low += (byte & 127) * scale;
      if (byte < 128) return low;
      scale *= 128;
    }
    let value = 0n;
    this.position = from;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (this.position >= end) throw this.truncated();
      const byte = buffer[this.position++]!;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) {
        const signed = BigInt.asIntN(64, value);
        return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed;
      }
    }
    throw new DecodeError('proto: integer overflow');
  }

  double(end: number): number {
    if (this.position + 8 > end) throw this.truncated();
    this.position += 8;
    return this.buffer.readDoubleLE(this.position - 8);
  }

  /** Reads a length and returns the end index of the delimited value. */
  delimited(end: number): number {
    const size = this.int32(end) >>> 0;
    const inner = this.position + size;
    if (inner > end) throw this.truncated();
    return inner;
  }

  /** A string; invalid UTF-8 becomes U+FFFD. */
  string(end: number): string {
    const inner = this.delimited(end);
    const from = this.position;
    this.position = inner;
    return this.textBetween(from, inner);
  }

  private textBetween(from: number, to: number): string {
    const { buffer } = this;
    if (to - from <= shortText) return shortString(buffer, from, to);
    for (let index = from; index < to; index++)
      if (buffer[index]! > 127) return buffer.toString('utf8', from, to);
    return buffer.toString('latin1', from, to);
  }

  /** Bytes as a base64 string. */
  base64(end: number): string {
    const inner = this.delimited(end);
    const from = this.position;
    this.position = inner;
    return this.buffer.toString('base64', from, inner);
  }

  /**
   * The only field of a message that wraps one value, `{1: value}`, and ends at `end`. Undefined if missing.
   */
  private wrapped(end: number): string | undefined {
    let text: string | undefined;
    while (this.position < end) {
      const tag = this.tag(end);
      if (tag === 10) text = this.string(end);
      else this.skip(tag, end, 'Raw');
    }
    return text;
  }

  quantity(end: number): string {
    const text = this.wrapped(end);
    if (text === undefined || text === '') return '0';
    if (!this.untrusted) return text;
    try {
      return canonicalQuantity(text);
    } catch (error) {
      if (error instanceof QuantityError) throw new DecodeError(error.message);
      throw error;
    }
  }

  /** Free-form JSON; empty bytes are `null`. */
  raw(end: number): RawJson {
    const text = this.wrapped(end);
    if (text === undefined || text === '') return nullJson;
    if (!this.untrusted) return new RawJson(text);
    return runNow(checkedRaw(text));
  }

  /** {@link raw} in steps of some milliseconds. */
  *readingRaw(end: number): Steps<RawJson> {
    const text = this.wrapped(end);
    if (text === undefined || text === '') return nullJson;
    if (!this.untrusted) return new RawJson(text);
    return yield* checkedRaw(text);
  }

  intOrString(end: number): number | string {
    let type: number | bigint = 0;
    let number = 0;
    let text = '';
    while (this.position < end) {
      const tag = this.tag(end);
      if (tag === 8) type = this.int64(end);
      else if (tag === 16) number = this.int32(end);
      else if (tag === 26) text = this.string(end);
      else this.skip(tag, end, 'IntOrString');
    }
    return type === 0 ? number : text;
  }

  /**
   * A Timestamp message as a string, with six fractional digits for `micro`; null if empty, like Go's zero
   * time.
   */
  time(end: number, micro: boolean): string | null {
    if (this.position === end) return null;
    let seconds: number | bigint = 0;
    let nanoseconds = 0;
    while (this.position < end) {
      const tag = this.tag(end);
      if (tag === 8) seconds = this.int64(end);
      else if (tag === 16) nanoseconds = this.int32(end);
      else this.skip(tag, end, 'Timestamp');
    }
    const text = timeOfSeconds(Number(seconds));
    if (text === undefined || nanoseconds < 0 || nanoseconds > 999_999_999)
      throw new DecodeError('time out of range');
    return micro ? `${text}.${String(Math.floor(nanoseconds / 1000)).padStart(6, '0')}Z` : `${text}Z`;
  }

  /** Skips an unknown field; groups count as one field. */
  skip(tag: number, end: number, message: string): void {
    if (tag >>> 3 === 0) throw new DecodeError(`proto: ${message}: illegal tag 0 (wire type ${tag & 7})`);
    let groups = 0;
    for (let next = tag; ; next = this.unsigned(end)) {
      const wireType = next & 7;
      if (wireType === 0) this.int64(end);
      else if (wireType === 1) this.double(end);
      else if (wireType === 2) this.position = this.delimited(end);
      else if (wireType === 3) groups++;
      else if (wireType === 4 && groups > 0) groups--;
      else if (wireType === 5) {
        if (this.position + 4 > end) throw this.truncated();
        this.position += 4;
      } else throw new DecodeError(`proto: ${message}: wiretype ${wireType} is not allowed here`);
      if (groups === 0) return;
    }
  }

  /** The field is known, but not with this wire type. */
  wrongWireType(tag: number, message: string, field: string): DecodeError {
    return new DecodeError(`proto: wrong wireType = ${tag & 7} for field ${field} of ${message}`);
  }
}

const nullJson = new RawJson('null');

/**
 * Removes the white space between the tokens of valid JSON. The pattern also matches an unterminated string:
 * a match that fails late would take quadratic time.
 */
function compact(text: string): string {
  return /[ \t\r\n]/.test(text) ? text.replace(/("[^"\\]*(?:\\.[^"\\]*)*"?)|[ \t\r\n]+/g, '$1') : text;
}

/** Strings up to this many bytes are cached: most are names and enum values that repeat in every object. */
const shortText = 24;
const cacheSize = 4096;
const cache: string[] = new Array(cacheSize).fill('');

function shortString(buffer: Buffer, from: number, to: number): string {
  const length = to - from;
  if (length === 0) return '';
  let hash = length;
  let bits = 0;
  for (let index = from; index < to; index++) {
    const byte = buffer[index]!;
    bits |= byte;
    hash = (Math.imul(hash, 31) + byte) | 0;
  }
  if (bits > 127) return buffer.toString('utf8', from, to);
  const slot = (hash ^ (hash >>> 12)) & (cacheSize - 1);
  const known = cache[slot]!;
  if (known.length === length) {
    let index = 0;
    while (index < length && known.charCodeAt(index) === buffer[from + index]) index++;
    if (index === length) return known;
  }
  const text = buffer.toString('latin1', from, to);
  cache[slot] = text;
  return text;
}

/** Checks JSON of a client. @throws DecodeError */
function* checkedRaw(text: string): Steps<RawJson> {
  try {
    if (text.length < Math.min(SHALLOW_CHARACTERS, stepSizes.characters)) JSON.parse(text);
    else yield* parsingJson(Buffer.from(text));
  } catch {
    throw new DecodeError('raw extension is not JSON');
  }
  return new RawJson(compact(text));
}
