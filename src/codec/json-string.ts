import { stepSizes } from '../steps/sizes.ts';
import { sortInSteps } from '../steps/sort.ts';
import type { Steps } from '../steps/steps.ts';

const special = /["\\<>&\u0000-\u001f\u2028\u2029\ud800-\udfff]/;
const html = /[<>&\u2028\u2029]/g;
const loneSurrogate = /\\u(d[89a-f][0-9a-f]{2})/g;

/** Writes a JSON string as Go does: `<`, `>`, `&`, U+2028 and U+2029 are escaped, too. */
export function quoteJson(text: string): string {
  const length = text.length;
  if (length > 64) return special.test(text) ? quoteSpecial(text) : `"${text}"`;
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (
      unit < 0x20 ||
      unit === 0x22 ||
      unit === 0x5c ||
      unit === 0x3c ||
      unit === 0x3e ||
      unit === 0x26 ||
      unit >= 0x2028
    )
      return quoteSpecial(text);
  }
  return `"${text}"`;
}

function quoteSpecial(text: string): string {
  return escapeHtml(
    JSON.stringify(text).replace(loneSurrogate, (written, _unit, at: number, all: string) =>
      isEscaped(all, at) ? written : '\ufffd',
    ),
  );
}

/** Whether the backslash at this position is itself escaped, so that it does not start an escape. */
function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

/** Escapes the characters of HTML markup, which can only occur in strings. */
export function escapeHtml(json: string): string {
  if (!html.test(json)) return json;
  html.lastIndex = 0;
  if (json.length > LONG) return escapeLong(json);
  return json.replace(html, (character) => escapeOf(character.charCodeAt(0)));
}

const escapeOf = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** In longer texts the characters are replaced in bytes: millions of calls would take long. */
const LONG = 4096;
const ESCAPE_LENGTH = 6;

const isHtml = (unit: number): boolean =>
  unit === 0x26 || unit === 0x3c || unit === 0x3e || unit === 0x2028 || unit === 0x2029;

function escapeLong(json: string): string {
  const encoding = /^[\0-\xff]*$/.test(json) ? 'latin1' : 'utf16le';
  const width = encoding === 'latin1' ? 1 : 2;
  const bytes = Buffer.from(json, encoding);
  let count = 0;
  for (let at = 0; at < bytes.length; at += width)
    if (isHtml(width === 1 ? bytes[at]! : bytes[at]! | (bytes[at + 1]! << 8))) count++;
  const escaped = Buffer.alloc(bytes.length + count * (ESCAPE_LENGTH - 1) * width);
  let end = 0;
  for (let at = 0; at < bytes.length; at += width) {
    const unit = width === 1 ? bytes[at]! : bytes[at]! | (bytes[at + 1]! << 8);
    if (isHtml(unit)) {
      escaped[end] = 0x5c;
      escaped[end + width] = 0x75;
      for (let digit = 0; digit < 4; digit++)
        escaped[end + (2 + digit) * width] = HEXADECIMAL.charCodeAt((unit >> (12 - 4 * digit)) & 15);
      end += ESCAPE_LENGTH * width;
    } else {
      escaped[end] = bytes[at]!;
      if (width === 2) escaped[end + 1] = bytes[at + 1]!;
      end += width;
    }
  }
  return escaped.toString(encoding);
}

const HEXADECIMAL = '0123456789abcdef';

/** Writes a double as Go does. */
export function jsonNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Keys in the order of their UTF-8 bytes, which differs from that of UTF-16 only beyond the surrogates. */
export const sortedKeys = (map: object): string[] => sortKeys(Object.keys(map));

/** Sorts keys in place, see {@link sortedKeys}. */
export function sortKeys(keys: string[]): string[] {
  if (keys.length < 2) return keys;
  keys.sort();
  return keys.some(isBeyondSurrogates) ? keys.sort(compareUtf8) : keys;
}

/** {@link sortKeys} in steps of some milliseconds. */
export function* sortingKeys(keys: string[]): Steps<string[]> {
  if (keys.length <= stepSizes.nodes) return sortKeys(keys);
  return yield* sortInSteps(keys, keys.some(isBeyondSurrogates) ? compareUtf8 : compareUtf16);
}

const isBeyondSurrogates = (key: string): boolean => /[\ud800-\uffff]/.test(key);

/** The order of `Array.sort`. */
export const compareUtf16 = (left: string, right: string): number =>
  left < right ? -1 : left > right ? 1 : 0;

function compareUtf8(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
