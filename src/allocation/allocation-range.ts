import { type AddressFamily, familyName, formatAddress, parseAddressSloppy } from '../addresses/address.ts';
import { addressAt, formatRange, networkAddress } from '../addresses/range.ts';
import { parseCidr } from '../kinds/validation/addresses.ts';

/** Maximum addresses of one IPv4 range with a bitmap; `--service-cluster-ip-range` accepts no larger one then. */
const MAXIMUM_IPV4_ADDRESSES = 1n << 20n;
/** Maximum addresses of one IPv6 range with a bitmap, with its network address; kube-apiserver's bound. */
const MAXIMUM_IPV6_ADDRESSES = 1n << 16n;
/** Maximum addresses of any range: offsets are exact numbers. */
const MAXIMUM_ADDRESSES = 1n << 52n;

/**
 * Addresses of one CIDR by offset. Offset 0 is the first address after the network address. The IPv4
 * broadcast address is never included.
 */
export interface AllocationRange {
  readonly family: AddressFamily;
  /** Canonical `network/prefix`. */
  readonly cidr: string;
  /** The network address, which is never allocated. */
  readonly network: string;
  readonly size: number;
  addressAt(offset: number): string;
  /** Returns undefined for an address outside the range. */
  offsetOf(address: string): number | undefined;
}

/**
 * Parses a CIDR. Returns undefined for a malformed CIDR or one without a usable address.
 * @param isBounded whether the range has no more addresses than fit into a bitmap
 */
export function parseAllocationRange(text: string, isBounded = true): AllocationRange | undefined {
  const range = parseCidr(text);
  if (range === undefined) return undefined;
  const { family, value: network } = networkAddress(range);
  const total = 1n << BigInt(range.hostBits);
  const bitmap = family === 4 ? MAXIMUM_IPV4_ADDRESSES : MAXIMUM_IPV6_ADDRESSES;
  const maximum = isBounded ? bitmap : MAXIMUM_ADDRESSES;
  const size = Number(total < maximum ? total : maximum) - (family === 4 ? 2 : 1);
  if (size < 1) return undefined;
  return {
    family: familyName(range.address),
    cidr: formatRange(range),
    network: addressAt(range, 0),
    size,
    addressAt: (offset) => formatAddress({ family, value: network + 1n + BigInt(offset) }),
    offsetOf: (candidate) => {
      const other = parseAddressSloppy(candidate);
      if (other === undefined || other.family !== family) return undefined;
      const offset = other.value - network - 1n;
      return offset >= 0n && offset < BigInt(size) ? Number(offset) : undefined;
    },
  };
}

/**
 * Size of the lower band of an address range. Dynamic allocation starts above it; the band is reserved for
 * explicit requests until the upper band is full.
 */
export const addressBandSize = (size: number): number => bandSize(size, 16, 256, 16);
/** Size of the lower band of a node port range; see {@link addressBandSize}. */
export const portBandSize = (size: number): number => bandSize(size, 16, 128, 32);

/** A fraction of the range, clamped to two limits; 0 for a range that is too small. */
function bandSize(size: number, minimum: number, maximum: number, fraction: number): number {
  if (size <= minimum) return 0;
  return Math.min(Math.max(Math.trunc(size / fraction), minimum), maximum);
}
