import type { WebSocket } from 'ws';
import { completeHandshake } from '../streaming/channels/handshake.ts';
import type { Exchange } from './exchange.ts';
import { clientDisconnected, WaitingProducers } from './waiting-producers.ts';

/** Maximum size of a client message. Clients of a watch send no data; messages are discarded. */
const MESSAGE_BYTES = 64 * 1024;
const HIGH_WATER = 256 * 1024;
const QUEUE_BOUND = 16 * 1024 * 1024;
const PING_INTERVAL = 30_000;

/** Browsers send a token as an additional subprotocol, which is never chosen. */
const TOKEN_PROTOCOL = 'base64url.bearer.authorization.k8s.io.';

/** What Go accepts as the URI of a request: a path, `*`, or a URI with a scheme. */
const ORIGIN = /^(?:\*|(?:\/|[A-Za-z][A-Za-z0-9+.-]*:)(?:[^\s%]|%[0-9A-Fa-f]{2})*)$/;

export interface WebSocketOptions {
  /**
   * Milliseconds between pings; a client without a reply, or without progress, for one interval is
   * disconnected.
   */
  readonly pingInterval?: number;
}

/** Sends messages to a WebSocket client. Client messages are read and discarded. */
export interface WebSocketChannel {
  readonly closed: boolean;
  readonly queuedBytes: number;
  /**
   * Sends a string as a text message, bytes as a binary message. Returns false when the caller should await
   * {@link drained}.
   */
  send(message: string | Uint8Array): boolean;
  /** Resolves when more may be sent; rejects with BodyAbortedError when the client has disconnected. */
  drained(): Promise<void>;
  /** Closes with a close frame. */
  close(code?: number, reason?: string): void;
  onClose(callback: () => void): void;
}

/** Whether the request is a WebSocket upgrade. */
export function isWebSocketRequest(exchange: Exchange): boolean {
  const connection = exchange.header('connection')?.toLowerCase() ?? '';
  return (
    exchange.header('upgrade')?.toLowerCase() === 'websocket' && /(^|[\s,])upgrade([\s,]|$)/.test(connection)
  );
}

/** The subprotocols that a client offers, without its token. */
export const offeredProtocols = (header = ''): string[] =>
  header
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith(TOKEN_PROTOCOL));

/**
 * Completes a WebSocket handshake on an upgrade request. Responds with 400 or 403 and resolves with undefined
 * when the request is malformed, offers several subprotocols, or has no origin. A single subprotocol is accepted
 * whatever its name, and has no effect, as in kube-apiserver.
 */
export async function acceptWebSocket(
  exchange: Exchange,
  options: WebSocketOptions = {},
): Promise<WebSocketChannel | undefined> {
  const offered = offeredProtocols(exchange.header('sec-websocket-protocol'));
  const [protocol] = offered;
  const refusal = refuse(exchange, offered.length);
  if (refusal !== undefined) {
    exchange.respond(refusal.status, 'text/plain; charset=utf-8', refusal.message);
    return undefined;
  }
  const taken = exchange.takeover();
  if (taken === undefined) {
    exchange.respond(400, 'text/plain; charset=utf-8', 'WebSocket needs an HTTP/1.1 upgrade request');
    return undefined;
  }
  const accepted = await completeHandshake(
    { ...taken, header: (name) => exchange.header(name) },
    protocol,
    MESSAGE_BYTES,
  );
  return accepted && new Channel(accepted, options.pingInterval ?? PING_INTERVAL);
}

function refuse(exchange: Exchange, protocols: number): { status: number; message: string } | undefined {
  const key = exchange.header('sec-websocket-key');
  const malformed =
    !isWebSocketRequest(exchange) ||
    exchange.method !== 'GET' ||
    key === undefined ||
    !/^[+/0-9A-Za-z]{22}==$/.test(key);
  if (malformed) return { status: 400, message: 'not a WebSocket handshake' };
  if (exchange.header('sec-websocket-version') !== '13')
    return { status: 400, message: 'only WebSocket version 13 is supported' };
  const origin = exchange.header('origin');
  if (origin === undefined || origin === 'null' || !ORIGIN.test(origin))
    return { status: 403, message: 'a WebSocket needs an Origin header' };
  return protocols > 1
    ? { status: 400, message: 'at most one WebSocket subprotocol may be offered' }
    : undefined;
}

class Channel implements WebSocketChannel {
  closed = false;
  readonly #socket: WebSocket;
  readonly #timer: NodeJS.Timeout;
  readonly #callbacks: (() => void)[] = [];
  readonly #producers = new WaitingProducers();
  #sentBytes = 0;
  #takenAtLastPing = -1;
  #alive = true;

  constructor(socket: WebSocket, pingInterval: number) {
    this.#socket = socket;
    socket.on('message', () => undefined);
    socket.on('pong', () => {
      this.#alive = true;
    });
    socket.on('close', () => this.#onClose());
    this.#timer = setInterval(() => this.#check(), pingInterval);
    this.#timer.unref();
  }

  get queuedBytes(): number {
    return this.closed ? 0 : this.#socket.bufferedAmount;
  }

  send(message: string | Uint8Array): boolean {
    if (this.closed || this.#socket.readyState !== this.#socket.OPEN) return false;
    if (this.queuedBytes > QUEUE_BOUND) {
      this.#socket.terminate();
      return false;
    }
    this.#sentBytes += message.length;
    this.#socket.send(message, { binary: typeof message !== 'string', compress: false }, this.#onSent);
    return this.queuedBytes < HIGH_WATER;
  }

  drained(): Promise<void> {
    if (this.closed) return Promise.reject(clientDisconnected());
    if (this.queuedBytes < HIGH_WATER) return Promise.resolve();
    return this.#producers.wait();
  }

  close(code = 1000, reason = ''): void {
    this.#socket.close(code, reason);
  }

  onClose(callback: () => void): void {
    if (this.closed) callback();
    else this.#callbacks.push(callback);
  }

  readonly #onSent = (): void => {
    if (!this.#producers.isEmpty && this.queuedBytes < HIGH_WATER) this.#producers.resume();
  };

  #check(): void {
    const taken = this.#sentBytes - this.queuedBytes;
    const stalled = this.queuedBytes > 0 && taken === this.#takenAtLastPing;
    if (!this.#alive || stalled) {
      this.#socket.terminate();
      return;
    }
    this.#takenAtLastPing = taken;
    this.#alive = false;
    this.#socket.ping();
  }

  #onClose(): void {
    this.closed = true;
    clearInterval(this.#timer);
    this.#producers.disconnect();
    for (const callback of this.#callbacks.splice(0)) callback();
  }
}
