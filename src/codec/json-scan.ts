/** Result of one pass over the bytes of a JSON document before parsing. The document need not be valid. */
export interface JsonScan {
  /** Object members, counted by their colons. */
  readonly members: number;
  /** Object members and list items, counted by their separators, as a measure of the document's work; light items weigh less. */
  readonly parts: number;
  /** Only bytes below 0x80. */
  readonly ascii: boolean;
  /**
   * Contains something that JSON.parse would lose: a long integer, a whole number written as a fraction or
   * power, `-0`, a surrogate escape, or nesting beyond the maximum.
   */
  readonly exact: boolean;
}

/** Maximum nesting, as in kube-apiserver. */
export const maximumJsonDepth = 10_000;

/**
 * The parts of a document. Numbers, booleans and nulls that follow one another in a list weigh a quarter: they are
 * checked and copied faster than texts, members and containers.
 */
export const weightOf = (parts: number, light: number): number => parts - Math.floor((3 * light) / 4);

/** The kind of the token before another one: a light item of a list, the comma after one, a colon, or something else. */
const OTHER = 0;
const LIGHT = 1;
const COMMA = 2;
const COLON = 3;

const quote = 0x22;
const backslash = 0x5c;

/** Scans a document once. It stops at nesting beyond the maximum, which bounds the work for hostile input. */
export function scanJson(bytes: Uint8Array): JsonScan {
  const length = bytes.length;
  let members = 0;
  let commas = 0;
  let depth = 0;
  let seen = 0;
  let exact = false;
  let light = 0;
  let before = OTHER;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]!;
    if (byte === quote) {
      before = OTHER;
      for (at++; at < length; at++) {
        const inner = bytes[at]!;
        seen |= inner;
        if (inner === quote) break;
        if (inner === backslash) {
          at++;
          if (bytes[at] === 0x75 && (bytes[at + 1]! | 0x20) === 0x64) exact = true;
        }
      }
    } else if (byte === 0x3a) {
      members++;
      before = COLON;
    } else if (byte === 0x2c) {
      commas++;
      before = before === LIGHT ? COMMA : OTHER;
    } else if (byte === 0x7b || byte === 0x5b) {
      before = OTHER;
      if (++depth > maximumJsonDepth) return { members, parts: members + commas, ascii: false, exact: true };
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
      before = OTHER;
    } else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
      if (before === COMMA) light++;
      before = before === COLON ? OTHER : LIGHT;
      const start = at;
      let whole = true;
      let power = false;
      let fraction = false;
      for (; at + 1 < length; at++) {
        const next = bytes[at + 1]!;
        if (next >= 0x30 && next <= 0x39) {
          if (!whole && next !== 0x30) fraction = true;
          continue;
        }
        if (next === 0x65 || next === 0x45) power = true;
        else if (next !== 0x2e && next !== 0x2b && next !== 0x2d) break;
        whole = false;
      }
      // Few digits with a nonzero fraction are never a whole number, and few digits without a fraction are an
      // exact integer.
      const size = at + 1 - start;
      const harmless =
        size <= 15 && !power && (whole ? size !== 2 || byte !== 0x2d || bytes[at] !== 0x30 : fraction);
      if (!harmless) exact ||= isLossy(bytes.subarray(start, at + 1), whole);
    } else {
      seen |= byte;
      // Each of the words false, null and true has one of these letters.
      if (byte === 0x66 || byte === 0x6e || byte === 0x74) {
        if (before === COMMA) light++;
        before = before === COLON ? OTHER : LIGHT;
      }
    }
  }
  return { members, parts: weightOf(members + commas, light), ascii: seen < 0x80, exact };
}

function isLossy(literal: Uint8Array, whole: boolean): boolean {
  // No longer literal is exact as a double; a very long number must not be copied.
  if (literal.length > 400) return true;
  const value = Number(Buffer.from(literal.buffer, literal.byteOffset, literal.length).toString('latin1'));
  if (whole) return !Number.isSafeInteger(value) || Object.is(value, -0);
  return !Number.isFinite(value) || Number.isInteger(value);
}
