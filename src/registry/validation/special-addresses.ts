import { type FieldError, invalid } from '../../status/field-error.ts';
import { type Address, parseAddress } from '../allocation/address.ts';
import { parseCidr } from './addresses.ts';

const top = ({ family, value }: Address, bits: bigint): bigint => value >> ((family === 'IPv4' ? 32n : 128n) - bits);

const SPECIAL: readonly { readonly detail: (text: string) => string; readonly covers: (address: Address) => boolean }[] = [
  { detail: (text) => `may not be unspecified (${text})`, covers: ({ value }) => value === 0n },
  {
    detail: () => 'may not be in the loopback range (127.0.0.0/8, ::1/128)',
    covers: (address) => (address.family === 'IPv4' ? top(address, 8n) === 127n : address.value === 1n),
  },
  {
    detail: () => 'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
    covers: (address) => (address.family === 'IPv4' ? top(address, 16n) === 0xa9fen : top(address, 10n) === 0x3fan),
  },
  {
    detail: () => 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
    covers: (address) => (address.family === 'IPv4' ? top(address, 24n) === 0xe00000n : (top(address, 16n) & 0xff0fn) === 0xff02n),
  },
];

/** Addresses that mean something else on every machine can't be endpoints. */
export function validateNonSpecialAddress(text: string, field: string): FieldError[] {
  const address = parseAddress(text);
  if (address === undefined) return [invalid(field, text, 'must be a valid IP address')];
  return SPECIAL.filter(({ covers }) => covers(address)).map(({ detail }) => invalid(field, text, detail(text)));
}

/** Whether the first block lies in the second and is smaller. Both are valid. */
export function isStrictSubset(inner: string, outer: string): boolean {
  const [small, large] = [parseCidr(inner)!, parseCidr(outer)!];
  const [a, b] = [parseAddress(small.address)!, parseAddress(large.address)!];
  return a.family === b.family && small.prefix > large.prefix && top(a, BigInt(large.prefix)) === top(b, BigInt(large.prefix));
}
