import { isIPv6 } from 'node:net';
import { ipFamily } from './addresses.ts';

/** Address families as the API names them. */
export type AddressFamily = 'IPv4' | 'IPv6';

/** A numeric IP address in network byte order. */
export interface Address {
  readonly family: AddressFamily;
  readonly value: bigint;
}

/**
 * Parses an IP address; undefined when it is invalid. IPv4 parts may have leading zeros and are decimal; an
 * IPv4-mapped IPv6 address is IPv4.
 */
export function parseAddress(text: string): Address | undefined {
  const family = ipFamily(text);
  if (family === undefined) return undefined;
  if (family === 4) return { family: 'IPv4', value: quadValue(text.slice(text.lastIndexOf(':') + 1)) };
  const value = groupsOf(text).reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
  return value >> 32n === 0xffffn
    ? { family: 'IPv4', value: value & 0xffff_ffffn }
    : { family: 'IPv6', value };
}

export const addressFamily = (text: string): AddressFamily | undefined => parseAddress(text)?.family;

const quadValue = (text: string): bigint =>
  text.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);

/** Returns the eight 16-bit groups of a valid IPv6 address. */
function groupsOf(text: string): number[] {
  const tail = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const quad = tail === null ? undefined : quadValue(tail[2]!);
  const plain =
    quad === undefined ? text : `${tail![1]}${(quad >> 16n).toString(16)}:${(quad & 0xffffn).toString(16)}`;
  const [head = '', rest] = plain.split('::');
  const parse = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const left = parse(head);
  if (rest === undefined) return left;
  const right = parse(rest);
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

/** Formats an address in canonical form: dotted quad, or RFC 5952 for IPv6. */
export function formatAddress({ family, value }: Address): string {
  const width = family === 'IPv4' ? 8n : 16n;
  const parts = Array.from({ length: family === 'IPv4' ? 4 : 8 }, (_, index) =>
    Number((value >> (BigInt((family === 'IPv4' ? 3 : 7) - index) * width)) & ((1n << width) - 1n)),
  );
  if (family === 'IPv4') return parts.join('.');
  const groups = parts.map((part) => part.toString(16));
  const { start, length } = longestZeroRun(parts);
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

function longestZeroRun(parts: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < parts.length; start += 1) {
    let length = 0;
    while (parts[start + length] === 0) length += 1;
    if (length > best.length) best = { start, length };
  }
  return best;
}

/**
 * Returns the RFC 5952 form of an IPv6 address; undefined for IPv4 and for addresses with a zone, which keep
 * their text.
 */
export function canonicalIpv6(text: string): string | undefined {
  const address = !text.includes('%') && isIPv6(text) ? parseAddress(text) : undefined;
  if (address === undefined) return undefined;
  return address.family === 'IPv6' ? formatAddress(address) : `::ffff:${formatAddress(address)}`;
}
