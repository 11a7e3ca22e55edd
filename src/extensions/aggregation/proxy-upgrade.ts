import type { Duplex } from 'node:stream';
import type { Exchange } from '../../connection/exchange.ts';
import type { OutboundStream } from '../../outbound/exchange.ts';
import type { OutboundTarget } from '../../outbound/outbound-target.ts';
import type { RequestContext } from '../../request/context.ts';
import { respondText } from '../../request/respond-text.ts';
import type { ProxiedRequest } from './proxied-request.ts';
import { passResponse } from './proxy-response.ts';

const SWITCHING_PROTOCOLS = 101;

/** Whether the client asks to change the protocol of its connection (WebSocket, SPDY). */
export const isUpgrade = (exchange: Exchange): boolean =>
  exchange.protocol === 'HTTP/1.1' &&
  exchange.header('upgrade') !== undefined &&
  (exchange.header('connection') ?? '').toLowerCase().includes('upgrade');

/** Passes an upgrade on: after the server has agreed, both connections are joined. */
export async function proxyUpgrade(
  context: RequestContext,
  target: OutboundTarget,
  request: ProxiedRequest,
): Promise<void> {
  const { exchange } = context;
  const response = await target.open(request);
  const { status, upgraded } = response;
  if (upgraded === undefined) {
    if (status >= 400) return passResponse(context, response);
    response.body.on('error', () => undefined);
    response.body.destroy();
    return respondText(context, 503, `invalid upgrade response: status code ${status}`);
  }
  const taken = exchange.takeover();
  if (taken === undefined) {
    upgraded.socket.destroy();
    exchange.abort();
    return;
  }
  context.status = SWITCHING_PROTOCOLS;
  taken.socket.write(headOf(response), 'latin1');
  if (upgraded.head.length > 0) taken.socket.write(upgraded.head);
  if (taken.head.length > 0) upgraded.socket.write(taken.head);
  await join(taken.socket, upgraded.socket);
}

/** The status line and the headers of a 101 response. */
function headOf({ status, statusMessage, rawHeaders }: OutboundStream): string {
  const lines = [`HTTP/1.1 ${status} ${statusMessage}`];
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Joins two connections with back-pressure until one of them has ended in both directions. */
function join(client: Duplex, server: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const close = (): void => {
      client.destroy();
      server.destroy();
      resolve();
    };
    for (const socket of [client, server]) socket.once('error', close).once('close', close);
    client.pipe(server);
    server.pipe(client);
  });
}
