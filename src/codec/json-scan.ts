/** Result of one pass over the bytes of a JSON document before parsing. The document need not be valid. */
export interface JsonScan {
  /** Object members, counted by their colons. */
  readonly members: number;
  /** Object members and list items, counted by their separators, as a measure of the document's work. */
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
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]!;
    if (byte === quote) {
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
    } else if (byte === 0x2c) {
      commas++;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maximumJsonDepth) return { members, parts: members + commas, ascii: false, exact: true };
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    } else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
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
    }
  }
  return { members, parts: members + commas, ascii: seen < 0x80, exact };
}

function isLossy(literal: Uint8Array, whole: boolean): boolean {
  // No longer literal is exact as a double; a very long number must not be copied.
  if (literal.length > 400) return true;
  const value = Number(Buffer.from(literal.buffer, literal.byteOffset, literal.length).toString('latin1'));
  if (whole) return !Number.isSafeInteger(value) || Object.is(value, -0);
  return !Number.isFinite(value) || Number.isInteger(value);
}
