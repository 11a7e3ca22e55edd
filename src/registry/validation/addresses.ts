import { isIPv6 } from 'node:net';
import { type FieldError, invalid } from '../../status/field-error.ts';

/**
 * Returns 4 or 6, or undefined for an invalid address. IPv4 parts may have leading zeros, for compatibility.
 */
export function ipFamily(value: string): 4 | 6 | undefined {
  const parts = value.split('.');
  if (parts.length === 4 && parts.every((part) => /^\d{1,}$/.test(part) && Number(part) <= 255)) return 4;
  // An IPv4-mapped IPv6 address counts as IPv4, as in kube-apiserver.
  if (!value.includes('%') && isIPv6(value)) return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(value) ? 4 : 6;
  return undefined;
}

/** Parses `address/length`; undefined when it is invalid. */
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
