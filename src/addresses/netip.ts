import type { AddressRange, IpAddress } from './ip-address.ts';

/**
 * Parses addresses and ranges like Go's `net/netip`. Its error messages are part of API responses: of
 * validation errors, warnings and errors of expressions.
 */

/** Quotes a text in an error message. */
type Quote = (text: string) => string;

/** An address with an optional zone (`fe80::1%eth0`). */
export interface ZonedAddress {
  readonly address: IpAddress;
  /** Empty without a zone. */
  readonly zone: string;
}

/** Parses like `netip.ParseAddr`; a returned string is its error. */
export function parseNetipAddress(text: string, quote: Quote = JSON.stringify): ZonedAddress | string {
  const parsed = parseZoned(text);
  if (!('message' in parsed)) return parsed;
  const at = parsed.at === undefined ? '' : ` (at ${quote(parsed.at)})`;
  return `ParseAddr(${quote(text)}): ${parsed.message}${at}`;
}

/** Parses like `netip.ParsePrefix`; a returned string is its error. */
export function parseNetipPrefix(text: string, quote: Quote = JSON.stringify): AddressRange | string {
  const fail = (message: string): string => `netip.ParsePrefix(${quote(text)}): ${message}`;
  const slash = text.lastIndexOf('/');
  if (slash < 0) return fail("no '/'");
  const parsed = parseNetipAddress(text.slice(0, slash), quote);
  if (typeof parsed === 'string') return fail(parsed);
  if (parsed.zone !== '') return fail('IPv6 zones cannot be present in a prefix');
  const digits = text.slice(slash + 1);
  const isInteger = /^(?:\d|[1-9]\d{1,18})$/.test(digits) && BigInt(digits) < 1n << 63n;
  if (!isInteger) return fail(`bad bits after slash: ${quote(digits)}`);
  const hostBits = (parsed.address.family === 4 ? 32 : 128) - Number(digits);
  if (hostBits < 0) return fail('prefix length out of range');
  return { address: parsed.address, prefix: Number(digits), hostBits };
}

/** Why a text is not an address. */
interface Problem {
  readonly message: string;
  /** The rest of the text from the error on. */
  readonly at?: string;
}

/** Parses an address without formatting the error. */
export function parseZoned(text: string): ZonedAddress | Problem {
  const first = /[.:%]/.exec(text)?.[0];
  if (first === undefined) return { message: 'unable to parse IP' };
  if (first === '%') return { message: 'missing IPv6 address' };
  if (first === ':') return parseIpv6(text);
  const value = parseQuad(text);
  return typeof value === 'number' ? { address: { family: 4, value: BigInt(value) }, zone: '' } : value;
}

/** Parses four decimal octets to an unsigned 32-bit number. */
function parseQuad(text: string): number | Problem {
  let sum = 0;
  let value = 0;
  let digits = 0;
  let fields = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]!;
    if (character >= '0' && character <= '9') {
      if (digits === 1 && value === 0) return { message: 'IPv4 field has octet with leading zero' };
      value = value * 10 + Number(character);
      digits += 1;
      if (value > 255) return { message: 'IPv4 field has value >255' };
    } else if (character === '.') {
      const isEmpty = index === 0 || index === text.length - 1 || text[index - 1] === '.';
      if (isEmpty) return { message: 'IPv4 field must have at least one digit', at: text.slice(index) };
      if (fields === 3) return { message: 'IPv4 address too long' };
      sum = sum * 256 + value;
      fields += 1;
      value = 0;
      digits = 0;
    } else return { message: 'unexpected character', at: text.slice(index) };
  }
  return fields < 3 ? { message: 'IPv4 address too short' } : sum * 256 + value;
}

const GROUPS = 8;

function parseIpv6(text: string): ZonedAddress | Problem {
  const percent = text.indexOf('%');
  if (percent >= 0 && percent === text.length - 1) return { message: 'zone must be a non-empty string' };
  const groups = parseGroups(percent < 0 ? text : text.slice(0, percent));
  if ('message' in groups) return groups;
  const value = groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
  return { address: { family: 6, value }, zone: percent < 0 ? '' : text.slice(percent + 1) };
}

/** Parses the eight 16-bit groups. */
function parseGroups(text: string): readonly number[] | Problem {
  const groups: number[] = [];
  let rest = text;
  let ellipsis = -1;
  if (rest.startsWith('::')) {
    ellipsis = 0;
    rest = rest.slice(2);
  }
  while (groups.length < GROUPS && rest !== '') {
    const digits = /^[0-9a-fA-F]{0,5}/.exec(rest)![0];
    if (digits.length > 4) return { message: 'each group must have 4 or less digits', at: rest };
    if (digits === '')
      return { message: 'each colon-separated field must have at least one digit', at: rest };
    const next = rest[digits.length];
    if (next === '.') {
      if (ellipsis < 0 && groups.length !== GROUPS - 2)
        return { message: 'embedded IPv4 address must replace the final 2 fields of the address', at: rest };
      if (groups.length > GROUPS - 2)
        return {
          message: 'too many hex fields to fit an embedded IPv4 at the end of the address',
          at: rest,
        };
      const quad = parseQuad(rest);
      if (typeof quad !== 'number') return quad;
      groups.push(Math.floor(quad / 0x10000), quad % 0x10000);
      rest = '';
      break;
    }
    groups.push(Number.parseInt(digits, 16));
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (next !== ':') return { message: 'unexpected character, want colon', at: rest };
    if (rest.length === 1) return { message: 'colon must be followed by more characters', at: rest };
    rest = rest.slice(1);
    if (rest[0] !== ':') continue;
    if (ellipsis >= 0) return { message: 'multiple :: in address', at: rest };
    ellipsis = groups.length;
    rest = rest.slice(1);
  }
  if (rest !== '') return { message: 'trailing garbage after address', at: rest };
  const missing = GROUPS - groups.length;
  if (missing === 0)
    return ellipsis < 0 ? groups : { message: 'the :: must expand to at least one field of zeros' };
  if (ellipsis < 0) return { message: 'address string too short' };
  return [...groups.slice(0, ellipsis), ...new Array<number>(missing).fill(0), ...groups.slice(ellipsis)];
}
