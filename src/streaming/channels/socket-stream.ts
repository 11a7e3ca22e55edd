import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** The bytes of a WebSocket's binary messages as one stream, with back-pressure. */
export async function socketStream(socket: WebSocket): Promise<Duplex> {
  const { createWebSocketStream } = await import('ws');
  return createWebSocketStream(socket);
}
