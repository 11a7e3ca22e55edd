import type { Service } from '../model/generated/core-v1.ts';

/** Matches anything that looks like an address; the caller ignores those outside the server's ranges. */
const ADDRESS = /\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}/gi;
/** Protobuf tags of `nodePort` in a port and of `healthCheckNodePort`. */
const PORT_TAGS = [0x28, 0x70];

/**
 * Recovers the addresses and node ports that a Service with undecodable stored bytes may own. False positives
 * are harmless: they are only withheld from other Services.
 */
export function recoverServiceReservations(value: Uint8Array): NonNullable<Service['spec']> {
  const text = Buffer.from(value.buffer, value.byteOffset, value.length).toString('latin1');
  const ports: { port: number; nodePort: number }[] = [];
  for (let index = 0; index + 3 < value.length; index += 1) {
    if (!PORT_TAGS.includes(value[index]!)) continue;
    const [low, middle, high] = [value[index + 1]!, value[index + 2]!, value[index + 3]!];
    // A node port is a varint of three bytes: the first two have the continuation bit.
    if (low >= 0x80 && middle >= 0x80 && high < 0x04)
      ports.push({ port: 0, nodePort: (low & 0x7f) | ((middle & 0x7f) << 7) | (high << 14) });
  }
  return { clusterIPs: [...new Set(text.match(ADDRESS) ?? [])], ports };
}
