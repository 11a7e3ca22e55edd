import { scanNumber } from './scan-number.ts';
import { scanString } from './scan-string.ts';
import { type Token, TokenKind } from './token.ts';

const KEYWORDS = new Map<string, TokenKind>([
  ['in', TokenKind.IN],
  ['true', TokenKind.TRUE],
  ['false', TokenKind.FALSE],
  ['null', TokenKind.NULL],
]);

/** Single-character tokens that are not a prefix of another token. */
const SINGLE: Readonly<Record<string, TokenKind>> = {
  '[': TokenKind.LEFT_BRACKET,
  ']': TokenKind.RIGHT_BRACKET,
  '{': TokenKind.LEFT_BRACE,
  '}': TokenKind.RIGHT_BRACE,
  '(': TokenKind.LEFT_PARENTHESIS,
  ')': TokenKind.RIGHT_PARENTHESIS,
  '.': TokenKind.DOT,
  ',': TokenKind.COMMA,
  '-': TokenKind.MINUS,
  '?': TokenKind.QUESTION_MARK,
  ':': TokenKind.COLON,
  '+': TokenKind.PLUS,
  '*': TokenKind.STAR,
  '/': TokenKind.SLASH,
  '%': TokenKind.PERCENT,
};

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isIdentifierStart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
const isSpace = (code: number): boolean =>
  code === 32 || code === 9 || code === 10 || code === 13 || code === 12;

/**
 * Reads tokens one by one, so that a hostile text is scanned no further than the parser reads. Invalid text
 * is reported to `onError` (start index and the text through the offending character) and skipped.
 */
export class Lexer {
  readonly #source: string;
  readonly #onError: (start: number, text: string) => void;
  #position = 0;

  constructor(source: string, onError: (start: number, text: string) => void) {
    this.#source = source;
    this.#onError = onError;
  }

  /** The next token; at the end of the text always the same `END` token. */
  next(): Token {
    for (;;) {
      this.#skipSpaceAndComments();
      const start = this.#position;
      if (start >= this.#source.length) return { kind: TokenKind.END, start, end: start };
      const token = this.#scan(start);
      if (token !== undefined) {
        this.#position = token.end;
        return token;
      }
    }
  }

  #skipSpaceAndComments(): void {
    const source = this.#source;
    let position = this.#position;
    for (;;) {
      while (position < source.length && isSpace(source.charCodeAt(position))) position++;
      if (source.charCodeAt(position) !== 47 || source.charCodeAt(position + 1) !== 47) break;
      const end = source.indexOf('\n', position);
      position = end === -1 ? source.length : end;
    }
    this.#position = position;
  }

  #scan(start: number): Token | undefined {
    const source = this.#source;
    const code = source.charCodeAt(start);
    if (isIdentifierStart(code)) return this.#prefixedString(start, code) ?? this.#identifier(start);
    if (isDigit(code) || (code === 46 && isDigit(source.charCodeAt(start + 1))))
      return scanNumber(source, start);
    if (code === 34 || code === 39) {
      const result = scanString(source, start, false);
      if (result.end !== -1) return { kind: TokenKind.STRING, start, end: result.end };
      return this.#fail(start, result.failure);
    }
    const single = SINGLE[source[start]!];
    if (single !== undefined) return { kind: single, start, end: start + 1 };
    return this.#operator(start, code);
  }

  #operator(start: number, code: number): Token | undefined {
    const next = this.#source.charCodeAt(start + 1);
    const withEquals = next === 61;
    switch (code) {
      case 33:
        return {
          kind: withEquals ? TokenKind.NOT_EQUALS : TokenKind.NOT,
          start,
          end: start + (withEquals ? 2 : 1),
        };
      case 60:
        return {
          kind: withEquals ? TokenKind.LESS_EQUALS : TokenKind.LESS,
          start,
          end: start + (withEquals ? 2 : 1),
        };
      case 62:
        return {
          kind: withEquals ? TokenKind.GREATER_EQUALS : TokenKind.GREATER,
          start,
          end: start + (withEquals ? 2 : 1),
        };
      case 61:
        return withEquals ? { kind: TokenKind.EQUALS, start, end: start + 2 } : this.#fail(start, start + 1);
      case 38:
        return next === 38 ? { kind: TokenKind.AND, start, end: start + 2 } : this.#fail(start, start + 1);
      case 124:
        return next === 124 ? { kind: TokenKind.OR, start, end: start + 2 } : this.#fail(start, start + 1);
      default:
        return this.#fail(start, start);
    }
  }

  #identifier(start: number): Token {
    const source = this.#source;
    let end = start + 1;
    for (
      let code = source.charCodeAt(end);
      isIdentifierStart(code) || isDigit(code);
      code = source.charCodeAt(end)
    )
      end++;
    const kind =
      end - start <= 5
        ? (KEYWORDS.get(source.slice(start, end)) ?? TokenKind.IDENTIFIER)
        : TokenKind.IDENTIFIER;
    return { kind, start, end };
  }

  /**
   * `r"…"`, `b"…"`, `br"…"`; undefined when it is not a terminated string: then the letters are an
   * identifier.
   */
  #prefixedString(start: number, code: number): Token | undefined {
    const source = this.#source;
    let quote = start;
    const bytes = code === 98 || code === 66;
    if (bytes) quote++;
    const letter = source.charCodeAt(quote);
    const raw = letter === 114 || letter === 82;
    if (raw) quote++;
    if (quote === start) return undefined;
    const mark = source.charCodeAt(quote);
    if (mark !== 34 && mark !== 39) return undefined;
    const { end } = scanString(source, quote, raw);
    return end === -1 ? undefined : { kind: bytes ? TokenKind.BYTES : TokenKind.STRING, start, end };
  }

  /** `failure` is the index of the first character that fits no token. */
  #fail(start: number, failure: number): undefined {
    const width = failure < this.#source.length && this.#source.codePointAt(failure)! > 0xffff ? 2 : 1;
    this.#position = Math.min(failure + width, this.#source.length);
    this.#onError(start, this.#source.slice(start, this.#position));
    return undefined;
  }
}
