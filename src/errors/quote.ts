import { SHOWN_CHARACTERS, shortened } from './shown.ts';

/** The short escapes of Go's quoted texts. */
export const GO_ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

/** Quotes, backslashes and characters that are not printable in Go; a space is printable. */
const ESCAPED = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;
const ALL_ESCAPED = new RegExp(ESCAPED, 'gu');

/** Quotes a text like Go's `%q`. Longer texts are {@link shortened}. */
export function quote(text: string, limit = SHOWN_CHARACTERS): string {
  const shown = shortened(text, limit);
  if (!ESCAPED.test(shown)) return `"${shown}"`;
  return `"${shown.replace(ALL_ESCAPED, (character) => GO_ESCAPES[character] ?? numbered(character))}"`;
}

function numbered(character: string): string {
  const code = character.codePointAt(0)!;
  // A half of a surrogate pair is the replacement character in UTF-8.
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  const digits = code.toString(16);
  if (code < 0x80) return `\\x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}

/**
 * Quotes a text like the errors of Go's package `time`: everything but visible ASCII as bytes. Longer texts than
 * errors show are cut.
 */
export function quoteBytes(text: string): string {
  let quoted = '';
  for (const byte of Buffer.from(shortened(text))) {
    if (byte >= 0x80 || byte < 0x20) quoted += `\\x${byte.toString(16).padStart(2, '0')}`;
    else if (byte === 0x22 || byte === 0x5c) quoted += `\\${String.fromCharCode(byte)}`;
    else quoted += String.fromCharCode(byte);
  }
  return `"${quoted}"`;
}

/** Quotes the texts of a list like Go's `%q`: `["a" "b"]`. */
export const quoteList = (texts: readonly string[]): string =>
  `[${texts.map((text) => quote(text)).join(' ')}]`;
