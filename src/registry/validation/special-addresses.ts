import { type FieldError, invalid } from '../../status/field-error.ts';
import { parseAddress } from './address-values.ts';
import { ipFamily, parseCidr } from './addresses.ts';

/** Unspecified, loopback, link-local and multicast ranges, by the octets of IPv4 and the value of IPv6. */
const SPECIAL: readonly {
  readonly detail: (text: string) => string;
  readonly coversIpv4: (octets: readonly number[]) => boolean;
  readonly coversIpv6: (value: bigint) => boolean;
}[] = [
  {
    detail: (text) => `may not be unspecified (${text})`,
    coversIpv4: (octets) => octets.every((octet) => octet === 0),
    coversIpv6: (value) => value === 0n,
  },
  {
    detail: () => 'may not be in the loopback range (127.0.0.0/8, ::1/128)',
    coversIpv4: ([first]) => first === 127,
    coversIpv6: (value) => value === 1n,
  },
  {
    detail: () => 'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
    coversIpv4: ([first, second]) => first === 169 && second === 254,
    coversIpv6: (value) => value >> 118n === 0x3fan,
  },
  {
    detail: () => 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
    coversIpv4: ([first, second, third]) => first === 224 && second === 0 && third === 0,
    coversIpv6: (value) => ((value >> 112n) & 0xff0fn) === 0xff02n,
  },
];

/** Rejects special addresses that cannot be endpoints. */
export function validateNonSpecialAddress(text: string, field: string): FieldError[] {
  const family = ipFamily(text);
  if (family === undefined) return [invalid(field, text, 'must be a valid IP address')];
  const errors: FieldError[] = [];
  const octets =
    family === 4
      ? text
          .slice(text.lastIndexOf(':') + 1)
          .split('.')
          .map(Number)
      : undefined;
  const value = octets === undefined ? parseAddress(text)!.value : 0n;
  for (const { detail, coversIpv4, coversIpv6 } of SPECIAL) {
    if (octets === undefined ? coversIpv6(value) : coversIpv4(octets))
      errors.push(invalid(field, text, detail(text)));
  }
  return errors;
}

/** Returns whether the first CIDR is a strict subset of the second. Both are valid. */
export function isStrictSubset(inner: string, outer: string): boolean {
  const [small, large] = [parseCidr(inner)!, parseCidr(outer)!];
  const [a, b] = [parseAddress(small.address)!, parseAddress(large.address)!];
  const hostBits = BigInt((b.family === 'IPv4' ? 32 : 128) - large.prefix);
  return a.family === b.family && small.prefix > large.prefix && a.value >> hostBits === b.value >> hostBits;
}
