const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;

/** Bytes of one member of a JSON object: its name with quotes, and its value. */
export interface MemberRange {
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/**
 * Visits the members of a compact JSON object without parsing their values, until `visit` returns false.
 * @param start offset of the opening brace
 * @returns false when the bytes are not a compact JSON object
 */
export function visitMembers(
  bytes: Uint8Array,
  start: number,
  visit: (member: MemberRange) => boolean | undefined,
): boolean {
  let at = start;
  if (bytes[at] !== OPEN_BRACE) return false;
  at += 1;
  if (bytes[at] === CLOSE_BRACE) return true;
  for (;;) {
    const nameStart = at;
    if (bytes[nameStart] !== QUOTE) return false;
    const nameEnd = endOfString(bytes, nameStart);
    if (nameEnd < 0 || bytes[nameEnd] !== COLON) return false;
    const valueStart = nameEnd + 1;
    const valueEnd = endOfValue(bytes, valueStart);
    if (valueEnd < 0) return false;
    if (visit({ nameStart, nameEnd, valueStart, valueEnd }) === false) return true;
    if (bytes[valueEnd] === CLOSE_BRACE) return true;
    if (bytes[valueEnd] !== COMMA) return false;
    at = valueEnd + 1;
  }
}

/** Offset behind the closing quote of a string; -1 when it is not closed. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at += 1;
  }
  return -1;
}

/** Offset behind a value; -1 when it is not complete. */
function endOfValue(bytes: Uint8Array, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return endOfString(bytes, start);
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = endOfString(bytes, at);
      if (end < 0) return -1;
      at = end - 1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (byte === COMMA && depth === 0) return at;
  }
  return -1;
}

/** Whether a member has a name that needs no escapes. */
export function isNamed(bytes: Uint8Array, { nameStart, nameEnd }: MemberRange, name: string): boolean {
  if (nameEnd - nameStart !== name.length + 2) return false;
  for (let index = 0; index < name.length; index += 1)
    if (bytes[nameStart + 1 + index] !== name.charCodeAt(index)) return false;
  return true;
}

/** Returns the value of the first member with this name; undefined when there is none. */
export function findMember(bytes: Uint8Array, start: number, name: string): MemberRange | undefined {
  let found: MemberRange | undefined;
  visitMembers(bytes, start, (member) => {
    if (!isNamed(bytes, member, name)) return true;
    found = member;
    return false;
  });
  return found;
}
