import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const PROTOCOLS = 'x-stream-protocol-version';

/** The first protocol that both sides know; empty if the client names none; undefined if they share none. */
export function chosenProtocol(
  { headersDistinct }: IncomingMessage,
  known: readonly string[],
): string | undefined {
  const offered = (headersDistinct[PROTOCOLS] ?? []).flatMap((value) =>
    value.split(',').map((name) => name.trim()),
  );
  return offered.length === 0 ? '' : offered.find((name) => known.includes(name));
}

/** Agrees to SPDY, or refuses. @returns whether it has agreed */
export function agree({ headers }: IncomingMessage, socket: Duplex, protocol: string | undefined): boolean {
  if ((headers.upgrade ?? '').toLowerCase() !== 'spdy/3.1') {
    refuse(socket, 400, 'unable to upgrade: unknown protocol');
    return false;
  }
  if (protocol === undefined) {
    refuse(socket, 403, 'unable to upgrade: no protocol of the streams is known');
    return false;
  }
  const line = protocol === '' ? '' : `X-Stream-Protocol-Version: ${protocol}\r\n`;
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n${line}\r\n`);
  return true;
}

/** Answers an upgrade with an error. */
export function refuse(socket: Duplex, status: number, text: string): void {
  const body = Buffer.from(text);
  socket.end(
    Buffer.concat([
      Buffer.from(
        `HTTP/1.1 ${status} Error\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
      ),
      body,
    ]),
  );
}
