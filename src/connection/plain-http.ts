import { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** The answer of Go's net/http; its client need not know a later version of HTTP. */
const ANSWER = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/** Whether a failed handshake was an HTTP request without TLS: GET, HEAD, POST or PUT, as OpenSSL recognizes them. */
export const isPlainHttp = (error: NodeJS.ErrnoException): boolean => error.code === 'ERR_SSL_HTTP_REQUEST';

/**
 * Answers an HTTP request without TLS on the connection below the failed TLS socket, which Node.js closes
 * afterwards. Node.js has no public access to that connection.
 */
export function answerPlainHttp(socket: TLSSocket): void {
  const below = (socket as { _parent?: unknown })._parent;
  if (below instanceof Socket && below.writable) below.end(ANSWER);
}
