import type { TLSSocket } from 'node:tls';
import type { ConnectionLimits } from './limits.ts';

/**
 * Ends a connection after what was written to it. What the client still sends is discarded for a while: closing a
 * socket with unread bytes resets it, and the client may lose the last response. Idempotent.
 */
export function closeLingering(
  socket: TLSSocket,
  { lingerBytes, lingerTimeout }: Pick<ConnectionLimits, 'lingerBytes' | 'lingerTimeout'>,
): void {
  if (socket.destroyed || socket.writableEnded) return;
  let timer: NodeJS.Timeout | undefined;
  discardInput(socket, lingerBytes);
  socket.once('close', () => clearTimeout(timer));
  socket.end(() => {
    if (!socket.destroyed) timer = setTimeout(() => socket.destroy(), lingerTimeout);
  });
}

/** Discards what a client sends; more than `most` bytes end the connection. */
export function discardInput(socket: TLSSocket, most: number): void {
  let discarded = 0;
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > most) socket.destroy();
  });
  socket.resume();
}
