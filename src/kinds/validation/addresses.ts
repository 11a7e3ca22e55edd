import {
  type AddressFamily,
  familyName,
  formatAddress,
  isMapped,
  parseAddress,
  parseAddressSloppy,
} from '../../addresses/address.ts';
import type { AddressRange } from '../../addresses/ip-address.ts';
import { formatRange, networkAddress, parseRange } from '../../addresses/range.ts';
import { quote } from '../../errors/quote.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';

/** The family of a valid address. IPv4 octets may have leading zeros, for compatibility. */
export function ipFamily(text: string): AddressFamily | undefined {
  const address = parseAddressSloppy(text);
  return address && familyName(address);
}

/** Parses a CIDR with an address in the same form. */
export const parseCidr = (text: string): AddressRange | undefined => parseRange(text, parseAddressSloppy);

/** The feature gate that forbids addresses and ranges in other than one form. */
const STRICT = 'StrictIPCIDRValidation';

export const INVALID_IP = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
export const validateIp = (value: string, field: string): FieldError[] =>
  ipFamily(value) === undefined ? [invalid(field, value, INVALID_IP)] : [];
/**
 * Validates an address in a field that has always allowed addresses in other forms, which a feature gate forbids.
 * @param stored addresses that the object had before an update
 */
export function validateLegacyIp(
  value: string,
  field: string,
  { isOn }: RuleContext,
  stored: readonly string[] = [],
): FieldError[] {
  if (stored.includes(value)) return [];
  return isOn(STRICT) ? validateUnambiguousIp(value, field) : validateIp(value, field);
}

/** Validates an address that every parser reads as the same one. */
function validateUnambiguousIp(value: string, field: string): FieldError[] {
  const errors = validateIp(value, field);
  if (errors.length > 0) return errors;
  const address = parseAddress(value);
  if (address === undefined) return [invalid(field, value, 'must not have leading 0s')];
  return isMapped(address) ? [invalid(field, value, 'must not be an IPv4-mapped IPv6 address')] : [];
}

export const validateIpv4 = (value: string, field: string): FieldError[] =>
  ipFamily(value) === 'IPv4' ? [] : [invalid(field, value, 'must be a valid IPv4 address')];
export const validateIpv6 = (value: string, field: string): FieldError[] =>
  ipFamily(value) === 'IPv6' ? [] : [invalid(field, value, 'must be a valid IPv6 address')];
export const validateCidr = (value: string, field: string): FieldError[] =>
  parseCidr(value) === undefined
    ? [invalid(field, value, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')]
    : [];

/** Validates an address in its canonical form. */
export function validateStrictIp(value: string, field: string): FieldError[] {
  const errors = validateUnambiguousIp(value, field);
  if (errors.length > 0) return errors;
  const canonical = formatAddress(parseAddress(value)!);
  return canonical === value
    ? []
    : [invalid(field, value, `must be in canonical form (${quote(canonical)})`)];
}

/** Validates a range in its canonical form. */
export function validateStrictCidr(value: string, field: string): FieldError[] {
  const errors = validateUnambiguousCidr(value, field);
  if (errors.length > 0) return errors;
  const canonical = formatRange(parseRange(value)!);
  return canonical === value
    ? []
    : [invalid(field, value, `must be in canonical form (${quote(canonical)})`)];
}

/** {@link validateLegacyIp} of a range. */
export function validateLegacyCidr(
  value: string,
  field: string,
  { isOn }: RuleContext,
  stored: readonly string[] = [],
): FieldError[] {
  if (stored.includes(value)) return [];
  return isOn(STRICT) ? validateUnambiguousCidr(value, field) : validateCidr(value, field);
}

/** {@link validateUnambiguousIp} of a range. */
function validateUnambiguousCidr(value: string, field: string): FieldError[] {
  const errors = validateCidr(value, field);
  if (errors.length > 0) return errors;
  const range = parseRange(value);
  if (range === undefined || /\/0\d/.test(value))
    return [invalid(field, value, 'must not have leading 0s in IP or prefix length')];
  if (isMapped(range.address)) return [invalid(field, value, 'must not have an IPv4-mapped IPv6 address')];
  return networkAddress(range).value === range.address.value
    ? []
    : [invalid(field, value, 'must not have bits set beyond the prefix length')];
}
