import type { Constant } from '../syntax.ts';

const MAX_INT = 2n ** 63n - 1n;
const MIN_INT = -(2n ** 63n);
const MAX_UINT = 2n ** 64n - 1n;

const NAMED: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '"': 34,
  "'": 39,
  '\\': 92,
  '?': 63,
  '`': 96,
};

/**
 * The value of an integer text; undefined when it has more digits than any 64-bit integer (which bounds the
 * work).
 */
function integer(text: string): bigint | undefined {
  const significant = text.startsWith('0x')
    ? `0x${text.slice(2).replace(/^0+(?=.)/, '')}`
    : text.replace(/^0+(?=.)/, '');
  return significant.length > 20 ? undefined : BigInt(significant);
}

/** The constant of an int literal (`text` without sign), or the error. */
export function intConstant(text: string, negative: boolean): Constant | string {
  const magnitude = integer(text);
  const value = magnitude === undefined ? undefined : negative ? -magnitude : magnitude;
  if (value === undefined || value > MAX_INT || value < MIN_INT) return 'invalid int literal';
  return { type: 'int', value };
}

/** The constant of a uint literal, whose text ends in `u`, or the error. */
export function uintConstant(text: string): Constant | string {
  const value = integer(text.slice(0, -1));
  return value === undefined || value > MAX_UINT ? 'invalid uint literal' : { type: 'uint', value };
}

export function doubleConstant(text: string, negative: boolean): Constant | string {
  const value = Number(text);
  return Number.isFinite(value)
    ? { type: 'double', value: negative ? -value : value }
    : 'invalid double literal';
}

/** Strips prefix letters and quotes; `raw` when escapes are not interpreted. */
function contentOf(text: string): { content: string; raw: boolean } {
  let start = 0;
  let raw = false;
  for (; text[start] !== '"' && text[start] !== "'"; start++)
    raw ||= text[start] === 'r' || text[start] === 'R';
  const width = text.length - start >= 6 && text.startsWith(text[start]!.repeat(3), start) ? 3 : 1;
  return { content: text.slice(start + width, text.length - width).replace(/\r\n?/g, '\n'), raw };
}

/**
 * Decodes the escape whose backslash is at `index` (the lexer has validated it): its value, its kind and its
 * end.
 */
function readEscape(
  content: string,
  index: number,
): { value: number; kind: 'named' | 'byte' | 'unicode'; end: number } {
  const letter = content[index + 1]!;
  const named = Object.hasOwn(NAMED, letter) ? NAMED[letter] : undefined;
  if (named !== undefined) return { value: named, kind: 'named', end: index + 2 };
  if (letter === 'x' || letter === 'X')
    return { value: Number.parseInt(content.slice(index + 2, index + 4), 16), kind: 'byte', end: index + 4 };
  if (letter === 'u')
    return {
      value: Number.parseInt(content.slice(index + 2, index + 6), 16),
      kind: 'unicode',
      end: index + 6,
    };
  if (letter === 'U')
    return {
      value: Number.parseInt(content.slice(index + 2, index + 10), 16),
      kind: 'unicode',
      end: index + 10,
    };
  return { value: Number.parseInt(content.slice(index + 1, index + 4), 8), kind: 'byte', end: index + 4 };
}

/** The constant of a string literal as written (prefix, quotes, escapes), or the error. */
export function stringConstant(text: string): Constant | string {
  const { content, raw } = contentOf(text);
  if (raw || !content.includes('\\')) return { type: 'string', value: content };
  let value = '';
  for (let index = 0; index < content.length; ) {
    const backslash = content.indexOf('\\', index);
    if (backslash === -1) {
      value += content.slice(index);
      break;
    }
    value += content.slice(index, backslash);
    const sequence = readEscape(content, backslash);
    if (sequence.value > 0x10ffff || (sequence.value >= 0xd800 && sequence.value <= 0xdfff))
      return 'invalid unicode code point';
    value += String.fromCodePoint(sequence.value);
    index = sequence.end;
  }
  return { type: 'string', value };
}

/**
 * The constant of a bytes literal: characters as UTF-8, `\x` and octal escapes as single bytes, no unicode
 * escapes.
 */
export function bytesConstant(text: string): Constant | string {
  const { content, raw } = contentOf(text);
  if (raw || !content.includes('\\')) return { type: 'bytes', value: new TextEncoder().encode(content) };
  const parts: Uint8Array[] = [];
  for (let index = 0; index < content.length; ) {
    const found = content.indexOf('\\', index);
    const backslash = found === -1 ? content.length : found;
    if (backslash > index) parts.push(new TextEncoder().encode(content.slice(index, backslash)));
    if (found === -1) break;
    const sequence = readEscape(content, backslash);
    if (sequence.kind === 'unicode') return 'unable to unescape string';
    parts.push(Uint8Array.of(sequence.value));
    index = sequence.end;
  }
  const value = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    value.set(part, offset);
    offset += part.length;
  }
  return { type: 'bytes', value };
}
