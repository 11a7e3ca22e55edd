import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { Connection, type ListenerContext } from './connection.ts';
import { Http2Exchange } from './http2-exchange.ts';
import { Http2HeaderInspector } from './http2-header-inspector.ts';
import { ObservedSocket } from './observed-socket.ts';

const STREAM_WINDOW_BYTES = 1024 * 1024;
const CONNECTION_WINDOW_BYTES = 16 * 1024 * 1024;
/**
 * The same as in kube-apiserver: nghttp2 accepts eight continuations of a header block, so large headers need
 * large frames.
 */
const FRAME_BYTES = 1024 * 1024;
/**
 * Burst and sustained rate per second of stream resets (cancelled watches); a client that exceeds them loses
 * its session. Node versions without the option allow 1,000 and 33.
 */
const RESET_BURST = 5_000;
const RESETS_PER_SECOND = 200;
/** Requests of one connection dispatched per turn of the event loop; the rest waits for the next turn. */
const BEGUN_PER_TURN = 64;

/** One HTTP/2 session. */
export class Http2Connection extends Connection {
  readonly #session: ServerHttp2Session;
  readonly #headers: Http2HeaderInspector;
  /** Deadline of the outstanding ping. */
  #pingDeadline = Number.POSITIVE_INFINITY;
  #nextPing: number;
  #waiting: Http2Exchange[] = [];
  #begunInTurn = 0;

  constructor(context: ListenerContext, socket: TLSSocket) {
    super(context, socket);
    const { counters, limits } = context;
    this.#headers = new Http2HeaderInspector(limits.headerBytes, context.headerBudget.open());
    this.#nextPing = context.clock.monotonic() + limits.pingInterval;
    const options = {
      // Megabytes. Node refuses new streams above it, so that one slow reader would block its session;
      // StreamBodyWriter enforces the actual bounds.
      maxSessionMemory: 1000,
      maxHeaderListPairs: limits.headerCount,
      streamResetBurst: RESET_BURST,
      streamResetRate: RESETS_PER_SECOND,
      settings: {
        enablePush: false,
        maxFrameSize: FRAME_BYTES,
        initialWindowSize: STREAM_WINDOW_BYTES,
        maxConcurrentStreams: context.http2MaxStreams,
        maxHeaderListSize: limits.headerBytes,
      },
    };
    const session = performServerHandshake(
      new ObservedSocket(socket, (chunk) => this.#inspectHeaders(chunk)),
      options,
    );
    this.#session = session;
    counters.openHttp2Connections++;
    // Node wraps a socket that is not a net.Socket; the wrapper repeats the session's errors.
    session.socket.on('error', () => undefined);
    session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
    session.on('error', () => {
      counters.sessionErrors++;
    });
    session.on('close', () => {
      this.#headers.stop();
      counters.openHttp2Connections--;
    });
    session.on(
      'stream',
      (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, rawHeaders: string[]) =>
        this.#onStream(stream, headers, rawHeaders),
    );
  }

  /**
   * Called for each response: with a small probability sends GOAWAY, so that clients rebalance over servers.
   */
  answered(): void {
    const { goawayChance, random } = this.context;
    if (goawayChance > 0 && random() < goawayChance) this.closeGracefully();
  }

  closeGracefully(): void {
    if (this.#session.closed || this.#session.destroyed) return;
    this.context.counters.goawaysSent++;
    this.#session.close();
  }

  destroy(): void {
    // CANCEL, so that clients do not treat open streams as complete.
    this.#session.destroy(undefined, constants.NGHTTP2_CANCEL);
    this.socket.destroy();
  }

  override sweep(now: number): void {
    if (now >= this.#pingDeadline) {
      this.context.counters.stalled++;
      this.destroy();
      return;
    }
    super.sweep(now);
    if (now >= this.#nextPing) this.#ping(now);
  }

  protected exchangeStalled(now: number): void {
    this.#ping(now);
  }

  /**
   * Besides dead peers this detects sessions that nghttp2 has ended for a protocol error or a flood: it sends
   * GOAWAY and ignores further input, and Node 20 emits no event and keeps the socket.
   */
  #ping(now: number): void {
    if (this.#pingDeadline < Number.POSITIVE_INFINITY || this.#session.destroyed) return;
    this.#pingDeadline = now + this.limits.stallTimeout;
    this.#nextPing = now + this.limits.pingInterval;
    this.#session.ping((error) => {
      if (error === null) this.#pingDeadline = Number.POSITIVE_INFINITY;
    });
  }

  #onStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[]): void {
    if (stream.destroyed) {
      stream.on('error', () => undefined);
      return;
    }
    const exchange = new Http2Exchange(this, stream, headers, rawHeaders);
    this.opened(exchange);
    const target = headers[':path'];
    if (this.#headers.rejects(stream.id ?? 0)) {
      this.context.counters.malformedRequests++;
      exchange.respond(400, undefined, '');
      if (this.#headers.exhausted) this.closeGracefully();
    } else if (
      target === undefined ||
      headers[':method'] === 'CONNECT' ||
      !(target.startsWith('/') || target === '*')
    ) {
      this.context.counters.malformedRequests++;
      exchange.respond(headers[':method'] === 'CONNECT' ? 405 : 400, undefined, '');
    } else if (this.#begunInTurn < BEGUN_PER_TURN) this.#dispatch(exchange);
    else this.#waiting.push(exchange);
  }

  #inspectHeaders(chunk: Buffer): void {
    this.#headers.push(chunk);
    if (this.#headers.hasOverflowed) this.destroy();
  }

  #dispatch(exchange: Http2Exchange): void {
    if (this.#begunInTurn === 0) setImmediate(() => this.#dispatchNext());
    this.#begunInTurn += 1;
    if (this.queuedBytes > this.limits.queuedBytesPerConnection)
      exchange.reset(constants.NGHTTP2_REFUSED_STREAM);
    else this.context.handler(exchange);
  }

  /** Most streams of a reset flood are closed by now and cost nothing more. */
  #dispatchNext(): void {
    this.#begunInTurn = 0;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const exchange of waiting) {
      if (exchange.closed) continue;
      if (this.#begunInTurn < BEGUN_PER_TURN) this.#dispatch(exchange);
      else this.#waiting.push(exchange);
    }
  }
}
