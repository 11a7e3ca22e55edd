import { formatAddress, parseAddress } from './address.ts';
import type { AddressRange, IpAddress } from './ip-address.ts';

/** Parses `address/prefix`; undefined when it is invalid. @param parse parser of the address */
export function parseRange(text: string, parse = parseAddress): AddressRange | undefined {
  const slash = text.lastIndexOf('/');
  const [address, prefix] = [text.slice(0, slash), text.slice(slash + 1)];
  const parsed = slash < 0 || !/^\d{1,3}$/.test(prefix) ? undefined : parse(address);
  if (parsed === undefined) return undefined;
  // The prefix of an IPv4-mapped address counts all bits of IPv6.
  const hostBits = (address.includes(':') ? 128 : 32) - Number(prefix);
  return hostBits < 0 ? undefined : { address: parsed, prefix: Number(prefix), hostBits };
}

/** The first address of the range: the address without its host bits. */
export function networkAddress({ address: { family, value }, hostBits }: AddressRange): IpAddress {
  const bits = BigInt(hostBits);
  return { family, value: (value >> bits) << bits };
}

/** The address at an offset from the first one, in canonical form. */
export function addressAt(range: AddressRange, offset: number): string {
  const { family, value } = networkAddress(range);
  return formatAddress({ family, value: value + BigInt(offset) });
}

/** Whether the range contains the address. */
export function containsAddress({ address, hostBits }: AddressRange, { family, value }: IpAddress): boolean {
  const bits = BigInt(hostBits);
  return address.family === family && address.value >> bits === value >> bits;
}

/** Whether the outer range contains all addresses of the inner one. */
export function containsRange(outer: AddressRange, inner: AddressRange): boolean {
  return outer.prefix <= inner.prefix && containsAddress(outer, inner.address);
}

/** Formats the range of the same addresses in canonical form, without host bits. */
export const formatRange = (range: AddressRange): string =>
  `${formatAddress(networkAddress(range))}/${range.prefix}`;
