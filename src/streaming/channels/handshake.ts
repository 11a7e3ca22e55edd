import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** Largest message of a client in bytes, as in kube-apiserver. */
const MESSAGE_BYTES = 32 << 20;

/** A request for a WebSocket whose connection was taken over. */
export interface HandshakeRequest {
  readonly socket: Duplex;
  readonly head: Buffer;
  /** The value of a request header by lower-case name. */
  header(name: string): string | undefined;
}

/**
 * Completes a WebSocket handshake. A malformed request is answered with 400.
 * @param protocol the subprotocol of the connection, one of those that the client offers; undefined: none
 * @param maxPayload bytes of the largest message of the client
 * @returns undefined if the client has disconnected or its request is malformed
 */
export async function completeHandshake(
  { socket, head, header }: HandshakeRequest,
  protocol: string | undefined,
  maxPayload = MESSAGE_BYTES,
): Promise<WebSocket | undefined> {
  // Loaded on first use: most servers never need WebSockets.
  const { WebSocketServer } = await import('ws');
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload,
    perMessageDeflate: false,
  });
  // The library refuses names of subprotocols with a slash, which Kubernetes has.
  if (protocol !== undefined)
    server.on('headers', (lines) => void lines.push(`Sec-WebSocket-Protocol: ${protocol}`));
  const headers: Record<string, string> = Object.create(null);
  for (const name of ['upgrade', 'connection', 'sec-websocket-key', 'sec-websocket-version'])
    headers[name] = header(name) ?? '';
  const request = { method: 'GET', url: '/', headers } as unknown as IncomingMessage;
  return new Promise((resolve) => {
    const onDisconnect = (): void => resolve(undefined);
    socket.once('close', onDisconnect);
    if (socket.destroyed) onDisconnect();
    server.handleUpgrade(request, socket, head, (accepted) => {
      socket.off('close', onDisconnect);
      accepted.on('error', () => accepted.terminate());
      resolve(accepted);
    });
  });
}

/** The subprotocols that a client offers. */
export const offeredProtocols = (header: string | undefined): string[] =>
  (header ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
