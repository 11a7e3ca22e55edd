import type { Duplex } from 'node:stream';
import type { Exchange } from '../connection/exchange.ts';
import type { OutboundStream } from '../outbound/exchange.ts';
import type { RequestContext } from '../request/context.ts';
import { processClock } from '../time/clock.ts';
import { passResponse } from './response.ts';

const SWITCHING_PROTOCOLS = 101;
/** Milliseconds to pass on what a connection has sent before its end. */
const FLUSH_MILLISECONDS = 10_000;

/** Whether the client asks to change the protocol of its connection (WebSocket, SPDY). */
export const isUpgrade = (exchange: Exchange): boolean =>
  exchange.protocol === 'HTTP/1.1' &&
  exchange.header('upgrade') !== undefined &&
  (exchange.header('connection') ?? '').toLowerCase().includes('upgrade');

/**
 * Passes the response to an upgrade on: joins both connections if the server has agreed, else sends its error.
 * @returns why the response is none to such a request; undefined for one that was passed on
 */
export async function passUpgrade(
  context: RequestContext,
  response: OutboundStream,
): Promise<string | undefined> {
  const { exchange } = context;
  const { status, upgraded } = response;
  if (upgraded === undefined) {
    if (status >= 400) {
      await passResponse(context, response);
      return undefined;
    }
    response.body.on('error', () => undefined);
    response.body.destroy();
    return `invalid upgrade response: status code ${status}`;
  }
  const taken = exchange.takeover();
  if (taken === undefined) {
    upgraded.socket.destroy();
    exchange.abort();
    return undefined;
  }
  context.status = SWITCHING_PROTOCOLS;
  taken.socket.write(headOf(response), 'latin1');
  if (upgraded.head.length > 0) taken.socket.write(upgraded.head);
  if (taken.head.length > 0) upgraded.socket.write(taken.head);
  await joinStreams(taken.socket, upgraded.socket);
  return undefined;
}

/** The status line and the headers of a 101 response. */
function headOf({ status, statusMessage, rawHeaders }: OutboundStream): string {
  const lines = [`HTTP/1.1 ${status} ${statusMessage}`];
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/**
 * Joins two connections with back-pressure until both have ended. What one has sent before its end still reaches the
 * other, if that one takes it in time.
 */
export function joinStreams(client: Duplex, server: Duplex): Promise<void> {
  return new Promise((resolve) => {
    let open = 2;
    const join = (from: Duplex, to: Duplex): void => {
      from.on('error', () => undefined);
      const ended = (): void => {
        open -= 1;
        if (open === 0) {
          resolve();
          return;
        }
        const stopTimer = processClock.after(FLUSH_MILLISECONDS, () => to.destroy());
        to.once('close', stopTimer);
        if (to.writableFinished) to.destroy();
        else to.once('finish', () => to.destroy()).end();
      };
      if (from.closed) ended();
      else {
        from.once('close', ended);
        from.pipe(to);
      }
    };
    join(client, server);
    join(server, client);
  });
}
