import type { IpAddress } from './ip-address.ts';
import { parseZoned } from './netip.ts';

/** Parts of an IPv4 address. */
const OCTETS = 4;

/** Address families as the API names them. */
export type AddressFamily = 'IPv4' | 'IPv6';

export const familyName = ({ family }: IpAddress): AddressFamily => (family === 4 ? 'IPv4' : 'IPv6');

/**
 * Parses an address without a zone, and without `node:net`, which compiles a regular expression that adds 6 ms to the
 * start; undefined when it is invalid. IPv4 octets have no leading zeros, and an
 * IPv4-mapped IPv6 address is IPv6.
 */
export function parseAddress(text: string): IpAddress | undefined {
  const parsed = parseZoned(text);
  return 'message' in parsed || parsed.zone !== '' ? undefined : parsed.address;
}

/**
 * Parses an address like `ParseIPSloppy`, by which kube-apiserver parses addresses in objects: octets may have
 * leading zeros and are decimal, and an IPv4-mapped IPv6 address is IPv4. Undefined when it is invalid.
 */
export function parseAddressSloppy(text: string): IpAddress | undefined {
  const octets = text.split('.', OCTETS + 1);
  if (octets.length === OCTETS && octets.every((octet) => /^\d+$/.test(octet) && Number(octet) <= 255)) {
    return { family: 4, value: octets.reduce((sum, octet) => (sum << 8n) | BigInt(Number(octet)), 0n) };
  }
  const address = parseAddress(text);
  return address !== undefined && isMapped(address)
    ? { family: 4, value: address.value & 0xffff_ffffn }
    : address;
}

/** 4 or 6 for an address without a zone, 0 for any other text. */
export const addressFamily = (text: string): 0 | 4 | 6 => parseAddress(text)?.family ?? 0;

/** Whether the address is an IPv4-mapped IPv6 address (`::ffff:1.2.3.4`). */
export const isMapped = ({ family, value }: IpAddress): boolean => family === 6 && value >> 32n === 0xffffn;

/** The 4 or 16 bytes in network byte order. */
export function addressBytes({ family, value }: IpAddress): number[] {
  const count = family === 4 ? 4 : 16;
  return Array.from({ length: count }, (_, index) =>
    Number((value >> BigInt(8 * (count - 1 - index))) & 0xffn),
  );
}

/** Formats in canonical form: dotted quad, or RFC 5952 for IPv6. */
export function formatAddress(address: IpAddress): string {
  const { family, value } = address;
  if (family === 4) return addressBytes(address).join('.');
  if (isMapped(address)) return `::ffff:${formatAddress({ family: 4, value: value & 0xffff_ffffn })}`;
  const groups = Array.from({ length: 8 }, (_, index) =>
    Number((value >> BigInt(112 - 16 * index)) & 0xffffn),
  );
  const text = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  const { start, length } = longestZeroRun(groups);
  return length < 2 ? text(groups) : `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start += 1) {
    let length = 0;
    while (groups[start + length] === 0) length += 1;
    if (length > best.length) best = { start, length };
  }
  return best;
}

/** The canonical form of a valid IPv6 address; of any other text, and with a zone, the text itself. */
export function canonicalIpv6(text: string): string {
  const address = parseAddress(text);
  return address?.family === 6 ? formatAddress(address) : text;
}
