import type { AddressInfo } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { FlushQueue } from '../http2/flush-queue.ts';
import type { SessionEnvironment } from '../http2/session.ts';
import { WriteBuffers } from '../http2/write-buffers.ts';
import { type ProcessClock, processClock } from '../time/clock.ts';
import type { Connection, ListenerContext } from './connection.ts';
import type { ExchangeHandler } from './exchange.ts';
import { Http1Connection, Http1Parser } from './http1-connection.ts';
import { Http2Connection } from './http2-connection.ts';
import {
  type ConnectionCounters,
  type ConnectionLimits,
  defaultLimits,
  FREE_HEADER_BYTES,
  FREE_UNREAD_BYTES,
  newCounters,
} from './limits.ts';
import { MemoryBudget } from './memory-budget.ts';
import { answerPlainHttp, isPlainHttp } from './plain-http.ts';
import { RequestTurns } from './request-turns.ts';
import {
  type CertificateOptions,
  certificateContext,
  SniContexts,
  secureContextPolicy,
  type TlsPolicy,
} from './tls-contexts.ts';

export interface ListenerOptions extends CertificateOptions, TlsPolicy {
  /** Called once for each request; it must handle its own promise rejections. */
  readonly handler: ExchangeHandler;
  /** Called with an error thrown by the handler, whose exchange is aborted. */
  readonly onHandlerError?: (error: unknown) => void;
  /** Maximum concurrent streams per HTTP/2 connection; 250 unless given and positive. */
  readonly http2MaxStreams?: number;
  /** Whether HTTP/2 is offered; true unless given. */
  readonly http2?: boolean;
  /** Probability, per HTTP/2 response, of sending GOAWAY. */
  readonly goawayChance?: number;
  readonly limits?: Partial<ConnectionLimits>;
  readonly clock?: Pick<ProcessClock, 'monotonic' | 'every'>;
  readonly random?: () => number;
}

/** An HTTPS endpoint for HTTP/2 and HTTP/1.1. */
export interface Listener {
  readonly counters: Readonly<ConnectionCounters>;
  /**
   * Starts accepting connections. Rejects with Node's error (EADDRINUSE, EACCES, …). Port 0 selects a free
   * port.
   */
  listen(host: string, port: number): Promise<{ address: string; port: number }>;
  /**
   * Changes certificates, or the names of client CAs, for new connections. Throws, and changes nothing, when one
   * is not usable.
   */
  setCertificates(change: Partial<CertificateOptions>): void;
  /**
   * Stops accepting, asks clients to disconnect (GOAWAY, `Connection: close`) and waits for open exchanges, and for
   * clients that may have sent requests before they knew. Stalled peers are disconnected early. Resolves with false
   * when exchanges were still open after `timeoutMs`.
   */
  drain(timeoutMs: number): Promise<boolean>;
  /** Lets the process exit while this listens: neither the port nor any connection keeps it alive. */
  unref(): void;
  /** Closes all connections. Resolves when the port is free. */
  close(): Promise<void>;
}

export function createListener(options: ListenerOptions): Listener {
  return new TlsListener(options);
}

/** `OPTIONS *` is about the server as a whole. An error in a handler aborts its exchange, not the process. */
function guardHandler({ handler, onHandlerError }: ListenerOptions): ExchangeHandler {
  return (exchange) => {
    try {
      if (exchange.target === '*' && exchange.method === 'OPTIONS') exchange.respond(200, undefined, '');
      else handler(exchange);
    } catch (error) {
      exchange.abort();
      onHandlerError?.(error);
    }
  };
}

function sessionEnvironment(
  { http2MaxStreams, clock = processClock }: ListenerOptions,
  limits: ConnectionLimits,
): SessionEnvironment {
  return {
    limits: {
      headerBytes: limits.headerBytes,
      headerCount: limits.headerCount,
      streams: http2MaxStreams || 250,
      headerTimeout: limits.headerTimeout,
      settingsTimeout: limits.acknowledgeTimeout,
      goawayTimeout: limits.acknowledgeTimeout,
      lingerTimeout: limits.lingerTimeout,
      lingerBytes: limits.lingerBytes,
    },
    resources: { flushes: new FlushQueue(), buffers: new WriteBuffers() },
    now: () => clock.monotonic(),
  };
}

/** Connections that the kernel keeps until they are accepted. */
const BACKLOG = 1024;

class TlsListener implements Listener {
  readonly counters = newCounters();
  readonly #context: ListenerContext;
  readonly #policy: ReturnType<typeof secureContextPolicy>;
  readonly #server: Server;
  readonly #http1: Http1Parser;
  readonly #connections = new Set<Connection>();
  readonly #stopSweeping: () => void;
  /** Includes sockets during their handshake. */
  readonly #sockets = new Set<{ destroy(): unknown; unref(): unknown }>();
  #unreferenced = false;
  #certificates: CertificateOptions;
  #sni: SniContexts;
  /** Called when the last exchange, or the last connection, has ended. */
  #onProgress: (() => void) | undefined;

  constructor(options: ListenerOptions) {
    const limits = { ...defaultLimits, ...options.limits };
    this.#context = {
      handler: guardHandler(options),
      turns: new RequestTurns(() => this.#sockets.size > this.#connections.size),
      limits,
      clock: options.clock ?? processClock,
      counters: this.counters,
      headerBudget: new MemoryBudget(limits.unfinishedHeaderBytes, FREE_HEADER_BYTES),
      unreadBudget: new MemoryBudget(limits.unreadBodyBytes, FREE_UNREAD_BYTES),
      http2: sessionEnvironment(options, limits),
      goawayChance: options.goawayChance ?? 0,
      random: options.random ?? Math.random,
      draining: false,
      onIdle: () => {
        if (this.counters.openExchanges === 0) this.#progress();
      },
    };
    this.#policy = secureContextPolicy(options);
    this.#certificates = options;
    this.#sni = new SniContexts(this.#policy, options);
    this.#http1 = new Http1Parser(this.#context);
    this.#server = createServer({
      ...certificateContext(this.#policy, options),
      ALPNProtocols: options.http2 === false ? ['http/1.1'] : ['h2', 'http/1.1'],
      SNICallback: (name, callback) => callback(null, this.#sni.find(name)),
      requestCert: true,
      rejectUnauthorized: false,
      handshakeTimeout: limits.handshakeTimeout,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    });
    this.#server.maxConnections = limits.connections;
    this.#server.on('secureConnection', (socket) => this.#accept(socket));
    this.#server.on('tlsClientError', (error, socket) => {
      this.counters.tlsHandshakeErrors++;
      if (isPlainHttp(error)) answerPlainHttp(socket);
      socket.destroy();
    });
    this.#server.on('connection', (socket) => {
      this.counters.acceptedConnections++;
      this.counters.openConnections++;
      this.#sockets.add(socket);
      if (this.#unreferenced) socket.unref();
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.counters.openConnections--;
        this.#sockets.delete(socket);
        if (this.#sockets.size === 0) this.#progress();
      });
    });
    const interval = Math.max(10, Math.min(5_000, limits.stallTimeout / 4, limits.idleTimeout / 4));
    this.#stopSweeping = this.#context.clock.every(interval, () => this.#sweep());
  }

  listen(host: string, port: number): Promise<{ address: string; port: number }> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port, backlog: BACKLOG }, () => {
        this.#server.off('error', reject);
        // A later accept error (EMFILE) must not stop the listener or the process.
        this.#server.on('error', () => undefined);
        const { address, port: bound } = this.#server.address() as AddressInfo;
        resolve({ address, port: bound });
      });
    });
  }

  setCertificates(change: Partial<CertificateOptions>): void {
    const certificates = { ...this.#certificates, ...change };
    const sni = new SniContexts(this.#policy, certificates);
    this.#server.setSecureContext(certificateContext(this.#policy, certificates));
    this.#sni = sni;
    this.#certificates = certificates;
  }

  async drain(timeoutMs: number): Promise<boolean> {
    const { clock, limits } = this.#context;
    // Connections that wait to be accepted would be reset. Clients are told to disconnect only afterwards: they would
    // connect again at once.
    await this.#backlogAccepted();
    this.#server.close();
    this.#context.draining = true;
    // What clients have sent until now is read first.
    await turnOfLoop();
    await turnOfLoop();
    for (const connection of this.#connections) connection.closeGracefully();
    const stopSweeping = clock.every(limits.drainStallTimeout / 4, () => this.#sweep());
    const deadline = performance.now() + timeoutMs;
    try {
      for (let rest = timeoutMs; rest > 0 && this.#sockets.size > 0; rest = deadline - performance.now()) {
        const isIdle = this.counters.openExchanges === 0;
        const hasProgress = await this.#progressWithin(
          isIdle ? Math.min(rest, limits.drainCloseTimeout) : rest,
        );
        if (isIdle && !hasProgress && this.counters.openExchanges === 0) break;
      }
      return this.counters.openExchanges === 0;
    } finally {
      stopSweeping();
    }
  }

  unref(): void {
    this.#unreferenced = true;
    this.#server.unref();
    for (const socket of this.#sockets) socket.unref();
  }

  async close(): Promise<void> {
    this.#context.draining = true;
    this.#stopSweeping();
    this.#http1.close();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const connection of this.#connections) connection.destroy();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #accept(socket: TLSSocket): void {
    socket.on('error', () => undefined);
    if (socket.destroyed) return;
    const connection =
      socket.alpnProtocol === 'h2'
        ? new Http2Connection(this.#context, socket)
        : new Http1Connection(this.#context, socket);
    this.#connections.add(connection);
    socket.on('close', () => this.#connections.delete(connection));
    if (connection instanceof Http1Connection) this.#http1.attach(connection);
    if (this.#context.draining) connection.closeGracefully();
  }

  #sweep(): void {
    const now = this.#context.clock.monotonic();
    for (const connection of this.#connections) connection.sweep(now);
  }

  /** Waits until two turns of the event loop have accepted no connection; a turn accepts one. */
  async #backlogAccepted(): Promise<void> {
    for (let quiet = 0, turns = 0; quiet < 2 && turns < BACKLOG; turns += 1) {
      const accepted = this.counters.acceptedConnections;
      await turnOfLoop();
      quiet = this.counters.acceptedConnections === accepted ? quiet + 1 : 0;
    }
  }

  /** Waits until the last exchange or the last connection has ended; false after a time in milliseconds. */
  #progressWithin(milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), milliseconds);
      this.#onProgress = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  #progress(): void {
    this.#onProgress?.();
    this.#onProgress = undefined;
  }
}

const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
