import { readFileSync } from 'node:fs';
import http2 from 'node:http2';
import https from 'node:https';
import tls from 'node:tls';
import { onTestFinished } from 'vitest';
import type { ExchangeHandler } from '../../src/connection/exchange.ts';
import { createListener, type Listener, type ListenerOptions } from '../../src/connection/listener.ts';
import type { ProcessClock } from '../../src/time/clock.ts';

const fixture = (name: string): Buffer => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));

export const authority = fixture('authority.crt');
export const intermediate = fixture('intermediate.crt');
export const serverCertificate = { key: fixture('server.key'), cert: fixture('server.crt') };
export const otherCertificate = { key: fixture('other-server.key'), cert: fixture('other-server.crt') };
export const clientCertificate = { key: fixture('client.key'), cert: fixture('client-chain.crt') };

/** A clock whose `tick` runs every periodic action at a given time. */
export class ManualClock implements Pick<ProcessClock, 'monotonic' | 'every'> {
  #now = 0;
  readonly #actions = new Set<() => void>();

  monotonic(): number {
    return this.#now;
  }

  every(_milliseconds: number, action: () => void): () => void {
    this.#actions.add(action);
    return () => this.#actions.delete(action);
  }

  tick(milliseconds: number): void {
    this.#now += milliseconds;
    for (const action of this.#actions) action();
  }
}

export interface Running {
  readonly listener: Listener;
  readonly port: number;
  readonly url: string;
  h2(options?: http2.SecureClientSessionOptions): http2.ClientHttp2Session;
  /** Opens a raw TLS connection for HTTP/1.1, whose responses are collected as text. */
  raw(options?: tls.ConnectionOptions): Promise<RawConnection>;
}

export class RawConnection {
  received = '';
  closed = false;
  /** The error of the socket, such as ECONNRESET. */
  error: NodeJS.ErrnoException | undefined;
  readonly #closing: Promise<void>;

  constructor(readonly socket: tls.TLSSocket) {
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.error = error;
    });
    socket.on('data', (chunk: Buffer) => {
      this.received += chunk.toString('latin1');
    });
    this.#closing = new Promise((resolve) =>
      socket.on('close', () => {
        this.closed = true;
        resolve();
      }),
    );
  }

  send(text: string): this {
    this.socket.write(text, 'latin1');
    return this;
  }

  /** Returns everything received up to the end of the connection. */
  async untilClosed(): Promise<string> {
    await this.#closing;
    return this.received;
  }
}

export async function start(
  handler: ExchangeHandler,
  options: Partial<ListenerOptions> = {},
): Promise<Running> {
  const listener = createListener({ ...serverCertificate, handler, ...options });
  const { port } = await listener.listen('127.0.0.1', 0);
  onTestFinished(() => listener.close());
  const url = `https://localhost:${port}`;
  return {
    listener,
    port,
    url,
    h2(clientOptions = {}) {
      const session = http2.connect(url, { ca: authority, ...clientOptions });
      session.on('error', () => undefined);
      onTestFinished(() => session.destroy());
      return session;
    },
    raw(clientOptions = {}) {
      return new Promise((resolve, reject) => {
        const socket = tls.connect({
          host: '127.0.0.1',
          port,
          servername: 'localhost',
          ca: authority,
          ALPNProtocols: ['http/1.1'],
          ...clientOptions,
        });
        const connection = new RawConnection(socket);
        onTestFinished(() => void socket.destroy());
        socket.once('secureConnect', () => resolve(connection));
        socket.once('error', reject);
      });
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: Buffer;
}

/** One request over HTTP/2. Rejects when the stream is reset. */
export function request2(
  session: http2.ClientHttp2Session,
  headers: http2.OutgoingHttpHeaders,
  body?: string | Buffer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request(headers, { endStream: body === undefined });
    const chunks: Buffer[] = [];
    let answer: http2.IncomingHttpHeaders = {};
    stream.on('response', (received) => {
      answer = received;
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      if (answer[':status'] === undefined) reject(new Error('the stream ended without a response'));
      else resolve({ status: Number(answer[':status']), headers: answer, body: Buffer.concat(chunks) });
    });
    stream.on('error', reject);
    stream.on('close', () => reject(new Error(`stream closed with code ${stream.rstCode}`)));
    if (body !== undefined) stream.end(body);
  });
}

/** One request over HTTP/1.1. */
export function request1(
  url: string,
  options: https.RequestOptions = {},
  body?: string | Buffer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = https.request(url, { ca: authority, agent: false, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}
