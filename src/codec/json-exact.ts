import { isJsonObject } from '../model/json-object.ts';
import { getMember, setMember } from '../model/object.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import { DecodeError } from './decode-error.ts';
import { maximumJsonDepth } from './json-scan.ts';
import { LiteralRecorder } from './number-literals.ts';
import { decodeUtf8 } from './utf8.ts';

/** Result of the exact parser. */
export interface ExactJson {
  readonly value: unknown;
  /** Paths of duplicate members, in document order, each once. */
  readonly duplicates: string[];
}

interface Frame {
  readonly container: Record<string, unknown> | unknown[];
  readonly names: Set<string> | undefined;
  /** Path of the container, when a path inside it was asked for. */
  path: string | undefined;
  key: string;
}

/** A member that the parser has reached. */
export interface VisitedMember {
  readonly name: string;
  /** Number of containers around it. */
  readonly depth: number;
  /** Whether its object has an earlier member with that name. */
  readonly isDuplicate: boolean;
  /** The full path, which may be as long as the document. */
  path(): string;
}

/** Called for every member in document order; the argument is valid during the call. */
export type MemberVisitor = (member: VisitedMember) => void;

/** Maximum paths of duplicates, as in kube-apiserver, and roughly their characters in all. */
const MAXIMUM_DUPLICATES = 100;
const DUPLICATE_CHARACTERS = 1024 * 1024;

/**
 * The slow, exact JSON parser: keeps integers beyond 2^53 as bigint, records literals that numbers lose,
 * detects duplicate members, and decodes invalid UTF-8 and surrogates and reports syntax errors as Go does.
 * It is not recursive, so that depth uses no stack. In steps of some milliseconds.
 * @throws DecodeError unless the input is exactly one JSON value
 */
export const parseJsonExactly = (bytes: Uint8Array, options: ExactOptions = {}): Steps<ExactJson> =>
  new ExactParser(bytes, options).run();

/** How a document is parsed exactly. */
export interface ExactOptions {
  readonly visit?: MemberVisitor;
  /**
   * Whether the members of a duplicate object are added to the earlier object, as Go decodes both into one
   * struct. Other duplicate values replace the earlier value.
   */
  readonly merges?: boolean;
}

/** Writes a code point in UTF-8. @returns the index after it */
function writeCodePoint(bytes: Buffer, from: number, point: number): number {
  let at = from;
  if (point < 0x80) bytes[at++] = point;
  else if (point < 0x800) bytes[at++] = 0xc0 | (point >> 6);
  else if (point < 0x10000) bytes[at++] = 0xe0 | (point >> 12);
  else bytes[at++] = 0xf0 | (point >> 18);
  if (point >= 0x10000) bytes[at++] = 0x80 | ((point >> 12) & 0x3f);
  if (point >= 0x800) bytes[at++] = 0x80 | ((point >> 6) & 0x3f);
  if (point >= 0x80) bytes[at++] = 0x80 | (point & 0x3f);
  return at;
}

/** Characters of short escapes, by the bytes after their backslash. */
const ESCAPED_UNITS: readonly (number | undefined)[] = (() => {
  const units: (number | undefined)[] = new Array(256).fill(undefined);
  for (const [index, letter] of [...'"\\/bfnrt'].entries())
    units[letter.charCodeAt(0)] = '"\\/\b\f\n\r\t'.charCodeAt(index);
  return units;
})();

class ExactParser implements VisitedMember {
  name = '';
  isDuplicate = false;
  private at = 0;
  private readonly stack: Frame[] = [];
  private readonly duplicates = new Set<string>();
  private readonly literals = new LiteralRecorder();
  private literal: string | undefined;
  private duplicateCharacters = 0;
  private root: unknown;

  private readonly visit: MemberVisitor | undefined;
  private readonly merges: boolean;

  constructor(
    private readonly bytes: Uint8Array,
    { visit, merges = false }: ExactOptions,
  ) {
    this.visit = visit;
    this.merges = merges;
  }

  *run(): Steps<ExactJson> {
    // Each iteration reads one value; a non-empty container pushes a frame and the next iteration reads its
    // first value.
    const { values: valuesAtOnce, bytes: bytesAtOnce } = stepSizes;
    let values = 0;
    let stepEnd = bytesAtOnce;
    for (;;) {
      values++;
      if (values >= valuesAtOnce || this.at > stepEnd) {
        yield;
        values = 0;
        stepEnd = this.at + bytesAtOnce;
      }
      const byte = this.need();
      const value = byte === 0x7b || byte === 0x5b ? this.open(byte) : this.scalar(byte);
      if (value === undefined || this.finish(value)) continue;
      this.space();
      if (this.at < this.bytes.length) throw this.unexpected('after top-level value');
      this.literals.attachTo(this.root);
      return { value: this.root, duplicates: [...this.duplicates] };
    }
  }

  /** Opens a container; returns it when it is empty, undefined when its first value is next. */
  private open(byte: number): object | undefined {
    if (this.stack.length >= maximumJsonDepth) throw this.unexpected('exceeded max depth');
    this.at++;
    if (byte === 0x5b) {
      if (this.need() === 0x5d) {
        this.at++;
        return [];
      }
      this.stack.push({ container: [], names: undefined, path: undefined, key: '0' });
      return undefined;
    }
    const container = this.repeated() ?? {};
    if (this.need('key') === 0x7d) {
      this.at++;
      return container;
    }
    const frame: Frame = { container, names: new Set(), path: undefined, key: '' };
    this.stack.push(frame);
    this.key(frame);
    return undefined;
  }

  /** When merging: the object that the next value repeats. */
  private repeated(): Record<string, unknown> | undefined {
    const frame = this.stack[this.stack.length - 1];
    if (!this.merges || frame?.names === undefined) return undefined;
    const earlier = getMember(frame.container, frame.key);
    return isJsonObject(earlier) ? earlier : undefined;
  }

  /** Adds a value to its container and closes containers that end here. True when another value follows. */
  private finish(finished: unknown): boolean {
    let value = finished;
    for (;;) {
      const frame = this.stack[this.stack.length - 1];
      if (frame === undefined) {
        this.root = value;
        return false;
      }
      this.store(frame, value);
      const list = frame.names === undefined;
      this.space();
      const byte = this.bytes[this.at];
      if (byte === undefined) throw ended();
      if (byte === 0x2c) {
        this.at++;
        if (list) frame.key = String((frame.container as unknown[]).length);
        else {
          this.need('key');
          this.key(frame);
        }
        this.need();
        return true;
      }
      if (byte !== (list ? 0x5d : 0x7d))
        throw this.unexpected(list ? 'after array element' : 'after object key:value pair');
      this.at++;
      this.stack.pop();
      value = frame.container;
    }
  }

  private store(frame: Frame, value: unknown): void {
    const { container, key } = frame;
    if (Array.isArray(container)) container.push(value);
    else setMember(container, key, value);
    if (this.literal !== undefined) {
      this.literals.add(container, key, this.literal);
      this.literal = undefined;
    } else if (frame.names) this.literals.remove(container, key);
  }

  private key(frame: Frame): void {
    if (this.bytes[this.at] !== 0x22) throw this.unexpected('looking for beginning of object key string');
    frame.key = this.string();
    this.space();
    if (this.at >= this.bytes.length) throw ended();
    if (this.bytes[this.at] !== 0x3a) throw this.unexpected('after object key');
    this.at++;
    const duplicate = frame.names!.has(frame.key);
    frame.names!.add(frame.key);
    if (duplicate) this.addDuplicate();
    if (this.visit !== undefined) {
      this.name = frame.key;
      this.isDuplicate = duplicate;
      this.visit(this);
    }
    this.need();
  }

  /** Paths of deep members are long: their number and length are bounded. */
  private addDuplicate(): void {
    if (this.duplicates.size >= MAXIMUM_DUPLICATES || this.duplicateCharacters > DUPLICATE_CHARACTERS) return;
    const path = this.path();
    this.duplicateCharacters += path.length;
    this.duplicates.add(path);
  }

  get depth(): number {
    return this.stack.length;
  }

  /** The path of the current member. Each container's path is created once. */
  path(): string {
    const { stack } = this;
    let known = stack.length - 1;
    while (known > 0 && stack[known]!.path === undefined) known--;
    for (let index = known + 1; index < stack.length; index++)
      stack[index]!.path = memberPath(stack[index - 1]!);
    return memberPath(stack[stack.length - 1]!);
  }

  private scalar(byte: number): unknown {
    if (byte === 0x22) return this.string();
    if (byte === 0x2d || isDigit(byte)) return this.number();
    if (byte === 0x74) return this.word('true', true);
    if (byte === 0x66) return this.word('false', false);
    if (byte === 0x6e) return this.word('null', null);
    throw this.unexpected('looking for beginning of value');
  }

  private word(text: string, value: unknown): unknown {
    for (let index = 0; index < text.length; index++, this.at++) {
      if (this.at >= this.bytes.length) throw ended();
      if (this.bytes[this.at] !== text.charCodeAt(index))
        throw this.unexpected(`in literal ${text} (expecting '${text[index]}')`);
    }
    return value;
  }

  private number(): number | bigint {
    const start = this.at;
    let whole = true;
    if (this.bytes[this.at] === 0x2d) this.at++;
    if (this.bytes[this.at] === 0x30) this.at++;
    else this.digits('in numeric literal');
    if (this.bytes[this.at] === 0x2e) {
      whole = false;
      this.at++;
      this.digits('after decimal point in numeric literal');
    }
    if ((this.bytes[this.at]! | 0x20) === 0x65) {
      whole = false;
      this.at++;
      if (this.bytes[this.at] === 0x2b || this.bytes[this.at] === 0x2d) this.at++;
      this.digits('in exponent of numeric literal');
    }
    if (whole && this.at - start <= 15) return this.shortInteger(start);
    const literal = Buffer.from(this.bytes.buffer, this.bytes.byteOffset + start, this.at - start).toString(
      'latin1',
    );
    const value = Number(literal);
    if (!Number.isFinite(value))
      throw new DecodeError(
        `json: cannot unmarshal number ${literal.slice(0, 100)} into Go value of type float64`,
      );
    if (!whole) {
      if (Number.isInteger(value)) this.literal = literal;
      return value;
    }
    return Number.isSafeInteger(value) ? value : BigInt(literal);
  }

  /** Fast path for an integer of few digits, without an intermediate string. */
  private shortInteger(start: number): number {
    const negative = this.bytes[start] === 0x2d;
    let value = 0;
    for (let at = negative ? start + 1 : start; at < this.at; at++)
      value = value * 10 + this.bytes[at]! - 0x30;
    return negative && value !== 0 ? -value : value;
  }

  private digits(context: string): void {
    if (this.at >= this.bytes.length) throw ended();
    if (!isDigit(this.bytes[this.at]!)) throw this.unexpected(context);
    while (isDigit(this.bytes[this.at]!)) this.at++;
  }

  private string(): string {
    const from = ++this.at;
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte === 0x22) return decodeUtf8(this.bytes, from, this.at++);
      if (byte === 0x5c) return this.escapedString(from);
      this.stringByte(byte);
    }
  }

  /**
   * Reads the rest of a string from its first escape. Its bytes are decoded at once: an escape is never a part of
   * the sequence of bytes before it.
   * @param from beginning of the string
   */
  private escapedString(from: number): string {
    const { bytes } = this;
    let { at } = this;
    let text = Buffer.allocUnsafe(Math.max(64, 2 * (at - from)));
    text.set(bytes.subarray(from, at));
    let length = at - from;
    for (;;) {
      const byte = bytes[at];
      // Room for the longest sequence.
      if (length + 4 > text.length) text = Buffer.concat([text], 2 * text.length);
      if (byte === 0x5c) {
        const unit = ESCAPED_UNITS[bytes[at + 1]!];
        if (unit !== undefined) {
          text[length++] = unit;
          at += 2;
        } else {
          this.at = at;
          length = writeCodePoint(text, length, this.longEscape());
          at = this.at;
        }
      } else if (byte === 0x22) {
        this.at = at + 1;
        return decodeUtf8(text, 0, length);
      } else {
        if (byte === undefined || byte < 0x20) {
          this.at = at;
          this.stringByte(byte);
        }
        text[length++] = byte!;
        at++;
      }
    }
  }

  /** Skips a byte of a string other than a quote or backslash. */
  private stringByte(byte: number | undefined): void {
    if (byte === undefined) throw ended();
    if (byte < 0x20) throw this.unexpected('in string literal');
    this.at++;
  }

  /** Reads the escape of a code point, which may be two escapes. */
  private longEscape(): number {
    this.at++;
    const byte = this.bytes[this.at];
    if (byte === undefined) throw ended();
    if (byte !== 0x75) throw this.unexpected('in string escape code');
    this.at++;
    const unit = this.hexadecimal();
    if (unit < 0xd800 || unit > 0xdfff) return unit;
    if (unit < 0xdc00 && this.bytes[this.at] === 0x5c && this.bytes[this.at + 1] === 0x75) {
      const mark = this.at;
      this.at += 2;
      const low = this.hexadecimal();
      if (low >= 0xdc00 && low <= 0xdfff) return 0x10000 + ((unit - 0xd800) << 10) + low - 0xdc00;
      this.at = mark;
    }
    return 0xfffd;
  }

  private hexadecimal(): number {
    let unit = 0;
    for (let index = 0; index < 4; index++, this.at++) {
      const byte = this.bytes[this.at];
      if (byte === undefined) throw ended();
      const letter = byte | 0x20;
      if (isDigit(byte)) unit = unit * 16 + byte - 0x30;
      else if (letter >= 0x61 && letter <= 0x66) unit = unit * 16 + letter - 0x57;
      else throw this.unexpected('in \\u hexadecimal character escape');
    }
    return unit;
  }

  private space(): void {
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.at++;
    }
  }

  /** Returns the next byte that is not white space. @throws DecodeError at the end of the document */
  private need(what: 'value' | 'key' = 'value'): number {
    this.space();
    const byte = this.bytes[this.at];
    if (byte === undefined) throw ended();
    if (what === 'key' && byte !== 0x22 && byte !== 0x7d)
      throw this.unexpected('looking for beginning of object key string');
    return byte;
  }

  private unexpected(context: string): DecodeError {
    return new DecodeError(`invalid character ${quoteByte(this.bytes[this.at]!)} ${context}`);
  }
}

function memberPath({ names, path = '', key }: Frame): string {
  if (names === undefined) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

const ended = (): DecodeError => new DecodeError('unexpected end of JSON input');

/** Quotes a byte as Go does: as one Latin-1 code point. */
function quoteByte(byte: number): string {
  if (byte === 0x27) return "'\\''";
  const short = { 7: '\\a', 8: '\\b', 9: '\\t', 10: '\\n', 11: '\\v', 12: '\\f', 13: '\\r', 92: '\\\\' }[
    byte
  ];
  if (short) return `'${short}'`;
  if (byte < 0x20 || byte === 0x7f) return `'\\x${byte.toString(16).padStart(2, '0')}'`;
  if ((byte > 0x7f && byte < 0xa1) || byte === 0xad) return `'\\u00${byte.toString(16)}'`;
  return `'${String.fromCharCode(byte)}'`;
}
