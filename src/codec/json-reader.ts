import { DecodeError } from './decode-error.ts';
import { decodeUtf8 } from './utf8.ts';

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

/**
 * Reads the parts of a JSON document that have no members, exactly: integers beyond 2^53 as bigint, literals that
 * numbers lose, texts and syntax errors as Go has them.
 */
export class JsonReader {
  protected at = 0;
  /** The literal of the number that was read last, if the number loses it. */
  protected literal: string | undefined;

  constructor(protected readonly bytes: Uint8Array) {}

  /** A string, number, boolean or null that begins with a byte. @throws DecodeError */
  protected scalar(byte: number): unknown {
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

  /** A string, from its quote. */
  protected string(): string {
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

  protected space(): void {
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.at++;
    }
  }

  /** Returns the next byte that is not white space. @throws DecodeError at the end of the document */
  protected need(what: 'value' | 'key' = 'value'): number {
    this.space();
    const byte = this.bytes[this.at];
    if (byte === undefined) throw ended();
    if (what === 'key' && byte !== 0x22 && byte !== 0x7d)
      throw this.unexpected('looking for beginning of object key string');
    return byte;
  }

  protected unexpected(context: string): DecodeError {
    return new DecodeError(`invalid character ${quoteByte(this.bytes[this.at]!)} ${context}`);
  }
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** The error of a document that ends too early. */
export const ended = (): DecodeError => new DecodeError('unexpected end of JSON input');

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
