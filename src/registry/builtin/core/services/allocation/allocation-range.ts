import {
  type AddressFamily,
  familyName,
  formatAddress,
  parseAddressSloppy,
} from '../../../../../addresses/address.ts';
import { addressAt, formatRange, networkAddress } from '../../../../../addresses/range.ts';
import { parseCidr } from '../../../../validation/addresses.ts';

/** Maximum addresses allocated from one range; it bounds the memory of a pool. */
export const MAXIMUM_RANGE_SIZE = 1 << 20;

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

/** Parses a CIDR. Returns undefined for a malformed CIDR or one without a usable address. */
export function parseAllocationRange(text: string): AllocationRange | undefined {
  const range = parseCidr(text);
  if (range === undefined) return undefined;
  const { family, value: network } = networkAddress(range);
  const total = 1n << BigInt(range.hostBits);
  const usable = total - (family === 4 ? 2n : 1n);
  if (usable < 1n) return undefined;
  const size = Number(usable < BigInt(MAXIMUM_RANGE_SIZE) ? usable : BigInt(MAXIMUM_RANGE_SIZE));
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
