import { isIP } from 'node:net';
import type { Exchange } from '../connection/exchange.ts';

/**
 * Source IPs of a request: `X-Forwarded-For`, `X-Real-Ip`, and last the peer of the connection, the only one
 * that a client cannot forge. Invalid addresses are skipped.
 */
export function sourceAddresses(exchange: Exchange): string[] {
  const found: string[] = [];
  for (const part of exchange.header('x-forwarded-for')?.split(',') ?? [])
    if (isIP(part.trim()) !== 0) found.push(part.trim());
  const real = exchange.header('x-real-ip')?.trim() ?? '';
  if (isIP(real) !== 0 && !found.includes(real)) found.push(real);
  const peer = exchange.remoteAddress.replace(/^::ffff:(?=\d+\.)/, '');
  if (peer !== '' && found.at(-1) !== peer) found.push(peer);
  return found;
}
