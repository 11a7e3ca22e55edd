import { type AddressFamily, familyName, parseAddressSloppy } from '../../addresses/address.ts';
import type { AddressRange } from '../../addresses/ip-address.ts';
import { parseRange } from '../../addresses/range.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';

/** The family of a valid address. IPv4 octets may have leading zeros, for compatibility. */
export function ipFamily(text: string): AddressFamily | undefined {
  const address = parseAddressSloppy(text);
  return address && familyName(address);
}

/** Parses a CIDR with an address in the same form. */
export const parseCidr = (text: string): AddressRange | undefined => parseRange(text, parseAddressSloppy);

export const INVALID_IP = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
export const validateIp = (value: string, field: string): FieldError[] =>
  ipFamily(value) === undefined ? [invalid(field, value, INVALID_IP)] : [];
export const validateIpv4 = (value: string, field: string): FieldError[] =>
  ipFamily(value) === 'IPv4' ? [] : [invalid(field, value, 'must be a valid IPv4 address')];
export const validateIpv6 = (value: string, field: string): FieldError[] =>
  ipFamily(value) === 'IPv6' ? [] : [invalid(field, value, 'must be a valid IPv6 address')];
export const validateCidr = (value: string, field: string): FieldError[] =>
  parseCidr(value) === undefined
    ? [invalid(field, value, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')]
    : [];
