/**
 * The end of a string literal (after its closing quote), or `end: -1` and the index of the first invalid
 * character.
 */
export interface StringScan {
  readonly end: number;
  readonly failure: number;
}

const NAMED_ESCAPES = new Set([...'abfnrtv"\'\\?`'].map((character) => character.charCodeAt(0)));

const isHexDigit = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);
const isOctalDigit = (code: number): boolean => code >= 48 && code <= 55;

/**
 * The end of the escape sequence whose backslash is at `start`; if negative, `~failure` with the index of the
 * invalid character.
 */
function scanEscape(source: string, start: number): number {
  const code = source.charCodeAt(start + 1);
  if (NAMED_ESCAPES.has(code)) return start + 2;
  let accepts = isHexDigit;
  let digits: number;
  if (code === 120 || code === 88) digits = 2;
  else if (code === 117) digits = 4;
  else if (code === 85) digits = 8;
  else if (code >= 48 && code <= 51) {
    digits = 2;
    accepts = isOctalDigit;
  } else return ~(start + 1);
  for (let index = start + 2; index < start + 2 + digits; index++)
    if (!accepts(source.charCodeAt(index))) return ~index;
  return start + 2 + digits;
}

function scanShort(source: string, start: number, raw: boolean): StringScan {
  const quote = source.charCodeAt(start);
  for (let index = start + 1; index < source.length; ) {
    const code = source.charCodeAt(index);
    if (code === quote) return { end: index + 1, failure: -1 };
    if (code === 10 || code === 13) return { end: -1, failure: index };
    if (code === 92 && !raw) {
      const end = scanEscape(source, index);
      if (end < 0) return { end: -1, failure: ~end };
      index = end;
    } else index++;
  }
  return { end: -1, failure: source.length };
}

/** The end of a triple-quoted string, or -1. */
function scanTriple(source: string, start: number, raw: boolean): number {
  const quotes = source.slice(start, start + 3);
  if (raw) {
    const end = source.indexOf(quotes, start + 3);
    return end === -1 ? -1 : end + 3;
  }
  for (let index = start + 3; index < source.length; ) {
    const code = source.charCodeAt(index);
    if (code === 92) {
      const end = scanEscape(source, index);
      if (end < 0) return -1;
      index = end;
    } else if (code === quotes.charCodeAt(0) && source.startsWith(quotes, index)) return index + 3;
    else index++;
  }
  return -1;
}

/**
 * Scans the string whose opening quote is at `start`. An unterminated triple-quoted string is scanned as an
 * empty string.
 */
export function scanString(source: string, start: number, raw: boolean): StringScan {
  const quote = source[start]!;
  if (source.startsWith(quote.repeat(3), start)) {
    const end = scanTriple(source, start, raw);
    if (end !== -1) return { end, failure: -1 };
  }
  return scanShort(source, start, raw);
}
