import { type AddressFamily, formatAddress, parseAddress } from '../../../../validation/address-values.ts';
import { parseCidr } from '../../../../validation/addresses.ts';

/** Larger ranges hand out no more than this many addresses: what one pool keeps in memory stays bounded. */
export const MAXIMUM_RANGE_SIZE = 1 << 20;

/**
 * Addresses of one CIDR by their place: 0 is the first after the network's own; the broadcast address of IPv4
 * is never among them.
 */
export interface AddressRange {
  readonly family: AddressFamily;
  /** Canonical `network/prefix`. */
  readonly cidr: string;
  /** The network's own address, never handed out. */
  readonly network: string;
  readonly size: number;
  addressAt(place: number): string;
  /** undefined when the address lies outside. */
  placeOf(address: string): number | undefined;
}

/** undefined when the text is no CIDR or has no room for a single address. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const parsed = parseCidr(text);
  const address = parsed && parseAddress(parsed.address);
  if (parsed === undefined || address === undefined) return undefined;
  const { family } = address;
  const hostBits = BigInt((parsed.address.includes(':') ? 128 : 32) - parsed.prefix);
  const network = (address.value >> hostBits) << hostBits;
  const total = 1n << hostBits;
  const usable = total - (family === 'IPv4' ? 2n : 1n);
  if (usable < 1n) return undefined;
  const size = Number(usable < BigInt(MAXIMUM_RANGE_SIZE) ? usable : BigInt(MAXIMUM_RANGE_SIZE));
  const networkText = formatAddress({ family, value: network });
  return {
    family,
    cidr: `${networkText}/${parsed.prefix}`,
    network: networkText,
    size,
    addressAt: (place) => formatAddress({ family, value: network + 1n + BigInt(place) }),
    placeOf: (candidate) => {
      const other = parseAddress(candidate);
      if (other === undefined || other.family !== family) return undefined;
      const place = other.value - network - 1n;
      return place >= 0n && place < BigInt(size) ? Number(place) : undefined;
    },
  };
}

/**
 * Where dynamic allocation begins: the places below are kept for explicit requests as long as others are
 * free.
 */
export const addressBand = (size: number): number => band(size, 16, 256, 16);
export const portBand = (size: number): number => band(size, 16, 128, 32);

/** A fraction of the range between two limits; no band at all in a range too small for one. */
function band(size: number, least: number, most: number, fraction: number): number {
  if (size <= least) return 0;
  return Math.min(Math.max(Math.trunc(size / fraction), least), most);
}
