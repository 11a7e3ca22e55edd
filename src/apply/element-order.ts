import { ELEMENT_TYPES, type PathElement } from './path-element.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const CLOSING_BRACE = 0x7d;

/**
 * The order of elements in a set: fields, keyed items, values, indexes; each by its contents, not by its text. Keys
 * and values are compared as `value.Less` of structured-merge-diff does.
 */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0;
  if (a[0] !== b[0]) return ELEMENT_TYPES.indexOf(a[0]!) - ELEMENT_TYPES.indexOf(b[0]!);
  return a[0] === 'f' ? (a < b ? -1 : 1) : compareContents(a, b);
}

/** Sorts elements. */
export function sortElements(elements: Iterable<PathElement>): PathElement[] {
  const sorted = [...elements];
  return sorted.every((element) => element[0] === 'f') ? sorted.sort() : sorted.sort(compareElements);
}

/**
 * Compares elements of one type by their JSON. It reads both up to the first difference, which decides; texts are
 * canonical. Nothing is parsed but the values that differ: there can be very many items.
 */
function compareContents(a: PathElement, b: PathElement): number {
  /** Where the key or value begins that is read. */
  let start = 2;
  let isInText = false;
  let at = start;
  for (;;) {
    const unit = a.charCodeAt(at);
    if (unit !== b.charCodeAt(at)) break;
    if (unit === QUOTE) isInText = !isInText;
    else if (!isInText) {
      if (unit === COLON || unit === COMMA) start = at + 1;
    } else if (unit === BACKSLASH) {
      const length = escapeLength(a, at);
      if (!b.startsWith(a.slice(at, at + length), at)) break;
      at += length;
      continue;
    }
    at += 1;
  }
  return isInText ? compareInText(a, b, at) : compareOutside(a, b, start, at);
}

/** Compares strings that differ from a character on: at its end a string is the beginning of the other one. */
function compareInText(a: PathElement, b: PathElement, at: number): number {
  if (a.charCodeAt(at) === QUOTE) return -1;
  if (b.charCodeAt(at) === QUOTE) return 1;
  return unitAt(a, at) - unitAt(b, at);
}

const escapeLength = (text: string, at: number): number => (text[at + 1] === 'u' ? 6 : 2);

/** The character of a JSON string at a position, as its UTF-16 unit. */
const unitAt = (text: string, at: number): number =>
  text.charCodeAt(at) === BACKSLASH
    ? (JSON.parse(`"${text.slice(at, at + escapeLength(text, at))}"`) as string).charCodeAt(0)
    : text.charCodeAt(at);

/** Compares elements that differ outside of a string, in or behind the value that begins at `start`. */
function compareOutside(a: PathElement, b: PathElement, start: number, at: number): number {
  const type = typeOrder(a, start);
  const order = type - typeOrder(b, start) || (type === NUMBER ? numberAt(a, start) - numberAt(b, start) : 0);
  if (order !== 0) return order;
  // Of items whose common keys are equal, the one with fewer keys is first.
  if (a.charCodeAt(at) === CLOSING_BRACE) return -1;
  return b.charCodeAt(at) === CLOSING_BRACE || a > b ? 1 : -1;
}

const NUMBER = 0;

/** Order of JSON types by the first character of their text. */
function typeOrder(text: string, at: number): number {
  switch (text[at]) {
    case '"':
      return 1;
    case 't':
    case 'f':
      return 2;
    case 'n':
    case '{':
    case '[':
      return 3;
    default:
      return NUMBER;
  }
}

function numberAt(text: string, start: number): number {
  let end = start;
  while (end < text.length && !isEnd(text.charCodeAt(end))) end += 1;
  return Number(text.slice(start, end));
}

const isEnd = (unit: number): boolean => unit === COMMA || unit === CLOSING_BRACE || unit === CLOSING_BRACKET;
