import type { IpAddress } from './ip-address.ts';

/** Addresses with a special meaning, as Go's `net` classifies them. */

/** Whether the address begins with the prefix of its family: its bits, and their number. */
function hasPrefix(
  { family, value }: IpAddress,
  ipv4: readonly [bits: bigint, length: number],
  ipv6: readonly [bits: bigint, length: number],
): boolean {
  const [bits, length] = family === 4 ? ipv4 : ipv6;
  return value >> BigInt((family === 4 ? 32 : 128) - length) === bits;
}

/** 0.0.0.0 and ::, which mean all interfaces. */
export const isUnspecified = ({ value }: IpAddress): boolean => value === 0n;

/** 127.0.0.0/8 and ::1. */
export const isLoopback = (address: IpAddress): boolean => hasPrefix(address, [127n, 8], [1n, 128]);

/** 224.0.0.0/4 and ff00::/8. */
export const isMulticast = (address: IpAddress): boolean => hasPrefix(address, [0xen, 4], [0xffn, 8]);

/** 169.254.0.0/16 and fe80::/10. */
export const isLinkLocalUnicast = (address: IpAddress): boolean =>
  hasPrefix(address, [0xa9fen, 16], [0x3fan, 10]);

/** 224.0.0.0/24, and ff02::/16 with any flags. */
export function isLinkLocalMulticast({ family, value }: IpAddress): boolean {
  return family === 4 ? value >> 8n === 0xe00000n : ((value >> 112n) & 0xff0fn) === 0xff02n;
}

/** Every other address except the IPv4 broadcast address; private ranges count as global. */
export function isGlobalUnicast(address: IpAddress): boolean {
  const isBroadcast = address.family === 4 && address.value === 0xffff_ffffn;
  return !(
    isUnspecified(address) ||
    isBroadcast ||
    isLoopback(address) ||
    isMulticast(address) ||
    isLinkLocalUnicast(address)
  );
}
