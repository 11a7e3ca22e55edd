import type { Service } from '../../../../../model/generated/core-v1.ts';

/**
 * Addresses as text: anything of the right letters, which only counts when it lies in a range of the server.
 */
const ADDRESS = /\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}/gi;
/** The tags before `nodePort` of a port and `healthCheckNodePort` in the protobuf form. */
const PORT_TAGS = [0x28, 0x70];

/**
 * What a Service may hold whose stored bytes cannot be decoded: every address and port number found in them.
 * Too many are harmless, since each only is not given to another; none found means that nothing can be known.
 */
export function recoverServiceReservations(value: Uint8Array): NonNullable<Service['spec']> {
  const text = Buffer.from(value.buffer, value.byteOffset, value.length).toString('latin1');
  const ports: { port: number; nodePort: number }[] = [];
  for (let index = 0; index + 3 < value.length; index += 1) {
    if (!PORT_TAGS.includes(value[index]!)) continue;
    const [low, middle, high] = [value[index + 1]!, value[index + 2]!, value[index + 3]!];
    // Node ports take three bytes of seven bits: the first two say that another follows.
    if (low >= 0x80 && middle >= 0x80 && high < 0x04)
      ports.push({ port: 0, nodePort: (low & 0x7f) | ((middle & 0x7f) << 7) | (high << 14) });
  }
  return { clusterIPs: [...new Set(text.match(ADDRESS) ?? [])], ports };
}
