import { isIPv6 } from 'node:net';
import { type FieldError, invalid } from '../../status/field-error.ts';

/** 4 or 6; undefined when it is no address. IPv4 parts may have leading zeros, as they always could. */
export function ipFamily(value: string): 4 | 6 | undefined {
  const parts = value.split('.');
  if (parts.length === 4 && parts.every((part) => /^\d{1,}$/.test(part) && Number(part) <= 255)) return 4;
  // An IPv4 address in IPv6 clothes counts as IPv4, as it does everywhere in the reference.
  if (!value.includes('%') && isIPv6(value)) return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(value) ? 4 : 6;
  return undefined;
}

/** Family and prefix length of `address/length`. */
export function parseCidr(value: string): { family: 4 | 6; address: string; prefix: number } | undefined {
  const slash = value.lastIndexOf('/');
  if (slash < 0) return undefined;
  const address = value.slice(0, slash);
  const family = ipFamily(address);
  const length = value.slice(slash + 1);
  if (family === undefined || !/^\d{1,3}$/.test(length)) return undefined;
  const prefix = Number(length);
  return prefix <= (address.includes(':') ? 128 : 32) ? { family, address, prefix } : undefined;
}

export const INVALID_IP = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
export const validateIp = (value: string, field: string): FieldError[] =>
  ipFamily(value) === undefined ? [invalid(field, value, INVALID_IP)] : [];
export const validateIpv4 = (value: string, field: string): FieldError[] =>
  ipFamily(value) === 4 ? [] : [invalid(field, value, 'must be a valid IPv4 address')];
export const validateIpv6 = (value: string, field: string): FieldError[] =>
  ipFamily(value) === 6 ? [] : [invalid(field, value, 'must be a valid IPv6 address')];
export const validateCidr = (value: string, field: string): FieldError[] =>
  parseCidr(value) === undefined
    ? [invalid(field, value, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')]
    : [];
