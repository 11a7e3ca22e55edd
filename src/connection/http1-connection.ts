import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Connection, type ListenerContext } from './connection.ts';
import { type HttpRefusal, NO_TUNNEL, type ParserError, parserRefusal, refusalOf } from './http-refusals.ts';
import { Http1Exchange } from './http1-exchange.ts';
import { Http1Feed } from './http1-feed.ts';
import type { ConnectionLimits } from './limits.ts';
import { closeLingering, discardInput } from './lingering-close.ts';
import type { MutableQueueAccount } from './queue-account.ts';

/**
 * One HTTP/1.1 connection. Pipelined requests are processed sequentially, so that a later one sees the writes
 * of an earlier one.
 */
export class Http1Connection extends Connection implements MutableQueueAccount {
  queuedBytes = 0;
  readonly #waiting: Http1Exchange[] = [];
  #current: Http1Exchange | undefined;
  #latest: Http1Exchange | undefined;
  #feed: Http1Feed | undefined;
  #closing = false;
  #broken = false;
  #isRefused = false;
  #isEnded = false;
  /** When the connection was opened, or its last response was finished. */
  #activeAt: number;
  /** Runs while the listener drains and the connection has been idle for a short time only. */
  #grace: NodeJS.Timeout | undefined;

  constructor(context: ListenerContext, socket: TLSSocket) {
    super(context, socket);
    context.counters.openHttp1Connections++;
    this.#activeAt = context.clock.monotonic();
    // Node calls this after the last response. It would reset the connection if the client has sent more.
    socket.destroySoon = () => this.end();
    socket.on('close', () => {
      clearTimeout(this.#grace);
      context.counters.openHttp1Connections--;
      // Requests that were not dispatched end with their connection.
      for (const exchange of this.#waiting.splice(0)) exchange.abort();
    });
  }

  /** Starts feeding received bytes to the parser, which already has the socket. */
  feedParser(onTooManyHeaders: () => void): void {
    this.#feed = new Http1Feed({
      socket: this.socket,
      headers: this.context.headerBudget.open(),
      isFull: () => this.#waiting.length >= this.limits.pipelinedRequests,
      isInBody: () => this.#latest?.received === false,
      onTooManyHeaders,
    });
  }

  /** Stops feeding the parser. @returns the bytes that the parser has not received */
  stopFeeding(): Buffer {
    return this.#feed?.stop() ?? Buffer.alloc(0);
  }

  /** Accepts the next request from the parser. */
  accept(exchange: Http1Exchange): void {
    // The parser processes its buffered input even after the connection has ended.
    if (this.socket.destroyed || this.isFinal) return;
    this.#latest = exchange;
    this.#feed?.onHeadersComplete();
    this.opened(exchange);
    if (this.#current === undefined) this.#dispatch(exchange);
    else this.#waiting.push(exchange);
  }

  /** Whether a response has been started and is not written completely. */
  get answering(): boolean {
    return this.#current?.responded === true && !this.#current.isAnswered;
  }

  /**
   * Whether the next response is the last of the connection. While the listener drains, requests that were received
   * are answered first.
   */
  get closing(): boolean {
    return (
      this.#broken ||
      (this.context.draining && this.#waiting.length === 0 && this.#feed?.hasUnparsed !== true)
    );
  }

  /** Whether a response that ends the connection was written: what the parser reports afterwards has no effect. */
  get isFinal(): boolean {
    return this.#isRefused || this.#isEnded;
  }

  /** Handles no further requests: the response that refuses one ends the connection. */
  refuse(): void {
    this.#isRefused = true;
  }

  /**
   * Handles malformed input after accepted requests. The current request is still answered, since it may have
   * taken effect; queued ones are dropped.
   * @returns false when no request is in progress
   */
  abandonPipeline(): boolean {
    if (!this.#broken && (this.#current === undefined || !this.#current.received)) return false;
    this.#broken = true;
    this.#closing = true;
    return true;
  }

  /**
   * HTTP/1.1 cannot tell an idle client to send no further request, and one may be on its way. So a connection that was
   * just used is closed with its next response, or after a short time without a request.
   */
  closeGracefully(): void {
    this.#closing = true;
    if (this.exchanges.size > 0 || this.#feed?.hasUnparsed === true) return;
    const { draining, clock } = this.context;
    const rest = draining ? this.#activeAt + this.limits.drainIdleTime - clock.monotonic() : 0;
    if (rest <= 0) this.end();
    else
      this.#grace ??= setTimeout(() => {
        if (this.exchanges.size === 0 && this.#feed?.hasUnparsed !== true) this.end();
      }, rest);
  }

  /** Ends the connection after what was written to it. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#feed?.stop();
    closeLingering(this.socket, this.limits);
  }

  destroy(): void {
    this.socket.destroy();
  }

  protected exchangeStalled(): void {
    this.destroy();
  }

  #dispatch(exchange: Http1Exchange): void {
    this.#current = exchange;
    exchange.onFinished(() => {
      const next = this.#broken || this.#isEnded ? undefined : this.#waiting.shift();
      this.#current = undefined;
      this.#activeAt = this.context.clock.monotonic();
      if (next !== undefined && !this.socket.destroyed) {
        this.#dispatch(next);
        this.#feed?.resumeReading();
      } else if (this.#broken) this.end();
      else if (this.#closing) this.closeGracefully();
    });
    this.context.turns.begin(exchange);
  }
}

/** The HTTP/1.1 parser: a Node server that never listens and receives connections from the TLS listener. */
export class Http1Parser {
  readonly #server: Server;
  readonly #connections = new WeakMap<Socket, Http1Connection>();
  readonly #context: ListenerContext;

  constructor(context: ListenerContext) {
    this.#context = context;
    const server = createServer(this.#serverOptions(context.limits));
    this.#server = server;
    server.on('request', (request, response) => this.#accept(request, response, false));
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
      this.#accept(request, response, true),
    );
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket as TLSSocket, head));
    // Requests with more headers are refused; Node would drop the excess headers.
    server.maxHeadersCount = context.limits.headerCount + 1;
    server.on('connect', (_request, socket) => socket.end(refusalText(NO_TUNNEL)));
    server.on('clientError', (error: ParserError, socket) => this.#onClientError(error, socket as TLSSocket));
    // Without this event Node doesn't check the header timeouts.
    server.emit('listening');
  }

  attach(connection: Http1Connection): void {
    this.#connections.set(connection.socket, connection);
    this.#server.emit('connection', connection.socket);
    connection.feedParser(() => this.#onClientError({ code: 'HPE_HEADER_OVERFLOW' }, connection.socket));
  }

  /** Stops the timeout checks. */
  close(): void {
    this.#server.close();
  }

  #serverOptions(limits: ConnectionLimits) {
    return {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headerTimeout,
      requestTimeout: limits.requestTimeout,
      keepAliveTimeout: limits.idleTimeout,
      connectionsCheckingInterval: Math.max(50, Math.min(5_000, limits.headerTimeout / 4)),
      insecureHTTPParser: false,
      // Checked by this listener, which answers as kube-apiserver does.
      requireHostHeader: false,
    };
  }

  #accept(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    const connection = this.#connections.get(request.socket);
    const refusal = refusalOf(request, this.#context.limits.headerCount);
    if (connection === undefined) request.socket.destroy();
    else if (refusal !== undefined) this.#refuse(connection, response, refusal);
    else connection.accept(new Http1Exchange(connection, request, response, { expectsContinue }));
  }

  #upgrade(request: IncomingMessage, socket: TLSSocket, head: Buffer): void {
    const connection = this.#connections.get(socket);
    // With pipelined requests before it, the socket cannot be handed over.
    if (connection === undefined || connection.exchanges.size > 0) {
      socket.destroy();
      return;
    }
    const response = new ServerResponse(request);
    const rest = connection.stopFeeding();
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on('finish', () => {
      response.detachSocket(socket);
      response.emit('close');
      socket.destroySoon();
    });
    const refusal = refusalOf(request, this.#context.limits.headerCount);
    if (refusal !== undefined) this.#refuse(connection, response, refusal);
    else
      connection.accept(
        new Http1Exchange(connection, request, response, {
          upgradeHead: rest.length === 0 ? head : Buffer.concat([head, rest]),
        }),
      );
  }

  /** Responds to a parse error, unless a response has been started or is pending. */
  #onClientError(error: ParserError, socket: TLSSocket): void {
    const connection = this.#connections.get(socket);
    if (connection?.isFinal === true && error.code !== 'ECONNRESET') {
      connection.stopFeeding();
      discardInput(socket, this.#context.limits.lingerBytes);
      return;
    }
    if (connection === undefined || !socket.writable || error.code === 'ECONNRESET' || connection.answering) {
      socket.destroy();
      return;
    }
    connection.stopFeeding();
    this.#context.counters.malformedRequests++;
    if (connection.abandonPipeline()) {
      discardInput(socket, this.#context.limits.lingerBytes);
      return;
    }
    socket.write(refusalText(parserRefusal(error)));
    connection.end();
  }

  #refuse(
    connection: Http1Connection,
    response: ServerResponse,
    { status, reason, body }: HttpRefusal,
  ): void {
    this.#context.counters.malformedRequests++;
    connection.refuse();
    response.sendDate = false;
    response.writeHead(status, reason, {
      'Content-Type': 'text/plain; charset=utf-8',
      Connection: 'close',
      'Content-Length': Buffer.byteLength(body),
    });
    response.end(body);
  }
}

/** A refusal as it is sent; the end of the connection is the end of its body. */
const refusalText = ({ status, reason, body }: HttpRefusal): string =>
  `HTTP/1.1 ${status} ${reason}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${body}`;
