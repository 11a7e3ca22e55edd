import { formatAddress, parseAddressSloppy } from '../addresses/address.ts';
import type { Exchange } from '../connection/exchange.ts';

/**
 * Source IPs of a request in canonical form: `X-Forwarded-For`, `X-Real-Ip`, and last the peer of the
 * connection, the only one that a client cannot forge. Invalid addresses are skipped.
 */
export function sourceAddresses(exchange: Exchange): string[] {
  const found = (exchange.header('x-forwarded-for')?.split(',') ?? []).flatMap(canonical);
  found.push(...canonical(exchange.header('x-real-ip') ?? '').filter((address) => !found.includes(address)));
  const [peer = exchange.remoteAddress] = canonical(exchange.remoteAddress);
  if (peer !== '' && found.at(-1) !== peer) found.push(peer);
  return found;
}

function canonical(text: string): string[] {
  const address = parseAddressSloppy(text.trim());
  return address === undefined ? [] : [formatAddress(address)];
}
