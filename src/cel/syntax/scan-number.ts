import { type Token, TokenKind } from './token.ts';

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isHexDigit = (code: number): boolean =>
  isDigit(code) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);
const isUnsignedMark = (code: number): boolean => code === 117 || code === 85;

function skip(source: string, start: number, accepts: (code: number) => boolean): number {
  let end = start;
  while (accepts(source.charCodeAt(end))) end++;
  return end;
}

/** The end of an exponent that starts at `start`; `start` itself when there is none. */
function skipExponent(source: string, start: number): number {
  const letter = source.charCodeAt(start);
  if (letter !== 101 && letter !== 69) return start;
  const sign = source.charCodeAt(start + 1);
  const digits = sign === 43 || sign === 45 ? start + 2 : start + 1;
  const end = skip(source, digits, isDigit);
  return end > digits ? end : start;
}

/**
 * Scans the longest number at `start`, which is a digit, or a dot followed by a digit. A sign is never part
 * of the token.
 */
export function scanNumber(source: string, start: number): Token {
  if (source.charCodeAt(start) === 48 && source.charCodeAt(start + 1) === 120) {
    const end = skip(source, start + 2, isHexDigit);
    if (end > start + 2) {
      const unsigned = isUnsignedMark(source.charCodeAt(end));
      return { kind: unsigned ? TokenKind.UINT : TokenKind.INT, start, end: unsigned ? end + 1 : end };
    }
  }
  const whole = skip(source, start, isDigit);
  const fraction = source.charCodeAt(whole) === 46 ? skip(source, whole + 1, isDigit) : whole;
  const afterFraction = fraction > whole + 1 ? fraction : whole;
  const end = skipExponent(source, afterFraction);
  if (end > whole) return { kind: TokenKind.FLOAT, start, end };
  return isUnsignedMark(source.charCodeAt(end))
    ? { kind: TokenKind.UINT, start, end: end + 1 }
    : { kind: TokenKind.INT, start, end };
}
