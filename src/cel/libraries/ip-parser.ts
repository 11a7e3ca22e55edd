import { quote } from './url-parser.ts';

/** An IP address. */
export interface Address {
  readonly family: 4 | 6;
  readonly bits: bigint;
}

/** Parses an address like the reference; a returned string is the error. */
export function parseAddress(text: string): Address | { readonly zone: true } | string {
  const first = /[.:%]/.exec(text)?.[0];
  const failed = (why: string, at = ''): string =>
    `ParseAddr(${quote(text)}): ${why}${at === '' ? '' : ` (at ${quote(at)})`}`;
  if (first === undefined) return failed('unable to parse IP');
  if (first === '%') return failed('missing IPv6 address');
  if (first === ':') return parseSix(text, failed);
  const octets = parseFour(text);
  return typeof octets === 'bigint' ? { family: 4, bits: octets } : failed(octets.why, octets.at);
}

interface Wrong {
  readonly why: string;
  readonly at?: string;
}

function parseFour(text: string): bigint | Wrong {
  const fields: number[] = [];
  let value = 0;
  let digits = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    if (character >= '0' && character <= '9') {
      if (digits === 1 && value === 0) return { why: 'IPv4 field has octet with leading zero' };
      value = value * 10 + Number(character);
      digits++;
      if (value > 255) return { why: 'IPv4 field has value >255' };
    } else if (character === '.') {
      if (index === 0 || index === text.length - 1 || text[index - 1] === '.') {
        return { why: 'IPv4 field must have at least one digit', at: text.slice(index) };
      }
      if (fields.length === 3) return { why: 'IPv4 address too long' };
      fields.push(value);
      value = 0;
      digits = 0;
    } else return { why: 'unexpected character', at: text.slice(index) };
  }
  if (fields.length < 3) return { why: 'IPv4 address too short' };
  return [...fields, value].reduce((bits, field) => (bits << 8n) | BigInt(field), 0n);
}

function parseSix(
  whole: string,
  failed: (why: string, at?: string) => string,
): Address | { readonly zone: true } | string {
  const percent = whole.indexOf('%');
  if (percent >= 0 && percent === whole.length - 1) return failed('zone must be a non-empty string');
  let text = percent < 0 ? whole : whole.slice(0, percent);
  const groups: number[] = [];
  let ellipsis = -1;
  if (text.startsWith('::')) {
    ellipsis = 0;
    text = text.slice(2);
  }
  while (groups.length < 8 && text !== '') {
    const digits = /^[0-9a-fA-F]*/.exec(text)![0];
    if (digits.length > 4) return failed('each group must have 4 or less digits', text);
    if (digits === '') return failed('each colon-separated field must have at least one digit', text);
    const next = text[digits.length];
    if (next === '.') {
      if (ellipsis < 0 && groups.length !== 6)
        return failed('embedded IPv4 address must replace the final 2 fields of the address', text);
      if (groups.length > 6)
        return failed('too many hex fields to fit an embedded IPv4 at the end of the address', text);
      const four = parseFour(text);
      if (typeof four !== 'bigint') return failed(four.why, four.at);
      groups.push(Number(four >> 16n), Number(four & 0xffffn));
      text = '';
      break;
    }
    groups.push(Number.parseInt(digits, 16));
    text = text.slice(digits.length);
    if (text === '') break;
    if (next !== ':') return failed('unexpected character, want colon', text);
    if (text.length === 1) return failed('colon must be followed by more characters', text);
    text = text.slice(1);
    if (!text.startsWith(':')) continue;
    if (ellipsis >= 0) return failed('multiple :: in address', text);
    ellipsis = groups.length;
    text = text.slice(1);
  }
  if (text !== '') return failed('trailing garbage after address', text);
  if (groups.length < 8) {
    if (ellipsis < 0) return failed('address string too short');
    groups.splice(ellipsis, 0, ...new Array<number>(8 - groups.length).fill(0));
  } else if (ellipsis >= 0) return failed('the :: must expand to at least one field of zeros');
  if (percent >= 0) return { zone: true };
  return { family: 6, bits: groups.reduce((bits, group) => (bits << 16n) | BigInt(group), 0n) };
}

/** Whether the address is an IPv4-mapped IPv6 address (`::ffff:1.2.3.4`). */
export function isMapped({ family, bits }: Address): boolean {
  return family === 6 && bits >> 32n === 0xffffn;
}

/** The canonical text of an address. */
export function formatAddress({ family, bits }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, index) =>
    Number((bits >> BigInt(112 - 16 * index)) & 0xffffn),
  );
  let [start, length] = [-1, 1];
  for (let index = 0; index < 8; index++) {
    let end = index;
    while (end < 8 && groups[end] === 0) end++;
    if (end - index > length) [start, length] = [index, end - index];
  }
  const text = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  return start < 0 ? text(groups) : `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`;
}
