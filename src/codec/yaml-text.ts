import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import { TextBuilder } from './text-builder.ts';
import { isBlank, isBreak, isSpace, type YamlReader } from './yaml-reader.ts';

/** Reads a text that may be long, in steps of some milliseconds. */
export type ReadText = Steps<string>;

const doubleQuoted = /"[^"\\\r\n\x85\u2028\u2029\0]*"/y;
const singleQuoted = /'[^'\r\n\x85\u2028\u2029\0]*'(?!')/y;
const doubleQuotedRun = /[^"\\\r\n\x85\u2028\u2029\0]*/y;
const singleQuotedRun = /[^'\r\n\x85\u2028\u2029\0]*/y;

/** Characters that end a plain text in a flow collection: `,?[]{}`. */
export const isFlowIndicator = (code: number): boolean =>
  code === 0x2c || code === 0x3f || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d;

/** A quoted text without escapes on one line; undefined if it is another one. */
export function readShortQuoted(reader: YamlReader, isSingle: boolean): string | undefined {
  const quoted = reader.take(isSingle ? singleQuoted : doubleQuoted);
  return quoted === '' ? undefined : quoted.slice(1, -1);
}

/** The index at which a plain text on one line ends, without the blanks after it. */
export function plainEnd({ text, at: from }: YamlReader, inFlow: boolean): number {
  let end = from;
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at);
    if (isBlank(code)) continue;
    if (code === 0x23 && at > from && end < at) return end;
    if (code === 0 || isBreak(code)) return end;
    if (code === 0x3a && isSpace(text.charCodeAt(at + 1))) return end;
    if (inFlow && isFlowIndicator(code)) return end;
    end = at + 1;
  }
}

/** Decides when reading a long text pauses. */
class TextPace {
  private readonly piecesAtOnce = stepSizes.nodes;
  private readonly charactersAtOnce = stepSizes.bytes;
  /** Lines, escapes and the like. */
  private pieces = 0;
  private at = 0;

  isPause({ at }: YamlReader): boolean {
    if (++this.pieces < this.piecesAtOnce && at - this.at < this.charactersAtOnce) return false;
    this.pieces = 0;
    this.at = at;
    return true;
  }
}

/** Line breaks between two lines of a text. */
class FoldedBreaks {
  private first = '';
  private readonly others = new TextBuilder();

  get isEmpty(): boolean {
    return this.first === '';
  }

  add(lineBreak: string): void {
    if (this.first === '') this.first = lineBreak;
    else this.others.slice(lineBreak);
  }

  /** Adds a break that does not count as the first one. */
  addFurther(lineBreak: string): void {
    this.others.slice(lineBreak);
  }

  /** One line break is a space, others remain. */
  foldInto(text: TextBuilder): void {
    if (this.first === '\n') {
      if (this.others.length === 0) text.unit(0x20);
    } else text.slice(this.first);
    this.keepInto(text);
  }

  /** Appends all breaks but the first one. */
  keepInto(text: TextBuilder): void {
    if (this.others.length > 0) text.slice(this.others.toString());
    this.others.length = 0;
    this.first = '';
  }
}

/**
 * Reads a plain text of several lines.
 * @param indent least column of its further lines outside of flow collections
 * @param ended receives whether the text ended after a line break
 */
export function* readPlain(
  reader: YamlReader,
  inFlow: boolean,
  indent: number,
  ended: (afterBreak: boolean) => void,
): ReadText {
  const text = new TextBuilder();
  const breaks = new FoldedBreaks();
  const pace = new TextPace();
  for (;;) {
    if (reader.isAtDocumentMark() || reader.code() === 0x23) break;
    const end = plainEnd(reader, inFlow);
    if (end > reader.at) {
      if (!breaks.isEmpty) breaks.foldInto(text);
      text.slice(reader.text, reader.at, end);
    }
    reader.at = end;
    if (!isBlank(reader.code()) && !isBreak(reader.code())) break;
    reader.skipBlanks();
    if (!isBreak(reader.code())) break;
    for (;;) {
      if (isBreak(reader.code())) breaks.add(reader.skipBreak());
      else if (!isBlank(reader.code())) break;
      else if (reader.code() === 0x09 && reader.column < indent)
        throw reader.error('found a tab character that violates indentation');
      else reader.at++;
      if (pace.isPause(reader)) yield;
    }
    if (!inFlow && reader.column < indent) break;
    if (pace.isPause(reader)) yield;
  }
  ended(!breaks.isEmpty);
  return text.toString();
}

/** Reads a quoted text with escapes or several lines. */
export function* readQuoted(reader: YamlReader, isSingle: boolean): ReadText {
  const text = new TextBuilder();
  const breaks = new FoldedBreaks();
  const pace = new TextPace();
  const quote = isSingle ? 0x27 : 0x22;
  reader.at++;
  for (;;) {
    if (pace.isPause(reader)) yield;
    if (reader.isAtDocumentMark()) throw reader.error('found unexpected document indicator');
    const from = reader.at;
    reader.take(isSingle ? singleQuotedRun : doubleQuotedRun);
    const code = reader.code();
    if (code === 0) throw reader.error('found unexpected end of stream');
    let end = reader.at;
    if (isBreak(code)) while (end > from && isBlank(reader.text.charCodeAt(end - 1))) end--;
    text.slice(reader.text, from, end);
    if (code === quote) {
      reader.at++;
      if (!isSingle || reader.code() !== 0x27) return text.toString();
      text.unit(0x27);
      reader.at++;
      continue;
    }
    if (code === 0x5c && !isBreak(reader.code(1))) {
      readEscape(reader, text);
      continue;
    }
    const isEscaped = code === 0x5c;
    if (isEscaped) {
      reader.at++;
      reader.skipBreak();
    }
    for (; isBlank(reader.code()) || isBreak(reader.code()); ) {
      if (isBlank(reader.code())) reader.at++;
      else if (isEscaped) breaks.addFurther(reader.skipBreak());
      else breaks.add(reader.skipBreak());
      if (pace.isPause(reader)) yield;
    }
    if (isEscaped) breaks.keepInto(text);
    else breaks.foldInto(text);
  }
}

const escapes: Readonly<Record<string, number>> = {
  '0': 0,
  a: 0x07,
  b: 0x08,
  t: 0x09,
  '\t': 0x09,
  n: 0x0a,
  v: 0x0b,
  f: 0x0c,
  r: 0x0d,
  e: 0x1b,
  ' ': 0x20,
  '"': 0x22,
  "'": 0x27,
  '\\': 0x5c,
  N: 0x85,
  _: 0xa0,
  L: 0x2028,
  P: 0x2029,
};
const digitsOf: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const hexadecimal = /^[0-9a-fA-F]+$/;

function readEscape(reader: YamlReader, text: TextBuilder): void {
  const letter = reader.text[reader.at + 1]!;
  const simple = escapes[letter];
  const count = digitsOf[letter];
  if (simple !== undefined) text.unit(simple);
  else if (count === undefined) throw reader.error('found unknown escape character');
  reader.at += 2;
  if (count === undefined) return;
  const digits = reader.text.slice(reader.at, reader.at + count);
  if (digits.length < count || !hexadecimal.test(digits))
    throw reader.error('did not find expected hexdecimal number');
  const value = Number.parseInt(digits, 16);
  if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff)
    throw reader.error('found invalid Unicode character escape code');
  text.slice(String.fromCodePoint(value));
  reader.at += count;
}

/**
 * Reads a literal or folded text, from its indicator.
 * @param parent indentation of what contains it, -1 for none
 */
export function* readBlock(reader: YamlReader, isLiteral: boolean, parent: number): ReadText {
  reader.at++;
  const { chomping, increment } = readHeader(reader);
  const text = new TextBuilder();
  const pace = new TextPace();
  const breaks = new TextBuilder();
  let indent = increment === 0 ? 0 : Math.max(parent, 0) + increment;
  let leading = '';
  let isBlankLine = false;
  indent = yield* blockBreaks(reader, indent, parent, breaks, pace);
  while (reader.column === indent && reader.code() !== 0) {
    const wasBlankLine = isBlankLine;
    isBlankLine = isBlank(reader.code());
    if (!isLiteral && leading === '\n' && !wasBlankLine && !isBlankLine) {
      if (breaks.length === 0) text.unit(0x20);
    } else text.slice(leading);
    leading = '';
    if (breaks.length > 0) {
      text.slice(breaks.toString());
      breaks.length = 0;
    }
    const from = reader.at;
    reader.skipToLineEnd();
    text.slice(reader.text, from, reader.at);
    if (isBreak(reader.code())) leading = reader.skipBreak();
    indent = yield* blockBreaks(reader, indent, parent, breaks, pace);
  }
  if (chomping >= 0) text.slice(leading);
  if (chomping > 0) text.slice(breaks.toString());
  return text.toString();
}

/** Reads what follows the indicator of a block text on its line. */
function readHeader(reader: YamlReader): { chomping: number; increment: number } {
  let chomping = 0;
  let increment = 0;
  for (let index = 0; index < 2; index++) {
    const code = reader.code();
    if (chomping === 0 && (code === 0x2b || code === 0x2d)) chomping = code === 0x2b ? 1 : -1;
    else if (increment === 0 && code >= 0x30 && code <= 0x39) {
      if (code === 0x30) throw reader.error('found an indentation indicator equal to 0');
      increment = code - 0x30;
    } else break;
    reader.at++;
  }
  reader.skipBlanks();
  if (reader.code() === 0x23) reader.skipToLineEnd();
  if (reader.code() !== 0 && !isBreak(reader.code()))
    throw reader.error('did not find expected comment or line break');
  if (reader.code() !== 0) reader.skipBreak();
  return { chomping, increment };
}

/** Reads the indentation and empty lines before a line. @returns the indentation, found if it was 0 */
function* blockBreaks(
  reader: YamlReader,
  indent: number,
  parent: number,
  breaks: TextBuilder,
  pace: TextPace,
): Steps<number> {
  let widest = 0;
  for (;;) {
    while ((indent === 0 || reader.column < indent) && reader.code() === 0x20) reader.at++;
    widest = Math.max(widest, reader.column);
    if ((indent === 0 || reader.column < indent) && reader.code() === 0x09)
      throw reader.error('found a tab character where an indentation space is expected');
    if (pace.isPause(reader)) yield;
    if (!isBreak(reader.code())) break;
    breaks.slice(reader.skipBreak());
  }
  return indent === 0 ? Math.max(widest, parent + 1, 1) : indent;
}
