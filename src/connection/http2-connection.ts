import type { TLSSocket } from 'node:tls';
import { ErrorCode } from '../http2/protocol.ts';
import { Http2Session, type SessionOwner } from '../http2/session.ts';
import type { Http2Stream } from '../http2/stream.ts';
import { Connection, type ListenerContext } from './connection.ts';
import { http2Refusal } from './http-refusals.ts';
import { Http2Exchange } from './http2-exchange.ts';
import type { MemoryAccount } from './memory-budget.ts';

/** One HTTP/2 connection. */
export class Http2Connection extends Connection implements SessionOwner {
  readonly headerAccount: MemoryAccount;
  readonly bodyAccount: MemoryAccount;
  readonly #session: Http2Session;
  /** Deadline of the outstanding ping. */
  #pingDeadline = Number.POSITIVE_INFINITY;
  #nextPing: number;

  constructor(context: ListenerContext, socket: TLSSocket) {
    super(context, socket);
    const { counters, limits, clock } = context;
    this.#nextPing = clock.monotonic() + limits.pingInterval;
    counters.openHttp2Connections++;
    socket.on('close', () => {
      counters.openHttp2Connections--;
    });
    this.headerAccount = context.headerBudget.open();
    this.bodyAccount = context.unreadBudget.open();
    this.#session = new Http2Session(socket, context.http2, this);
  }

  /** Bytes of responses that the socket has not taken. */
  get queuedBytes(): number {
    return this.#session.queuedBytes;
  }

  /**
   * Called for each response: with a small probability sends GOAWAY, so that clients rebalance over servers.
   */
  answered(): void {
    const { goawayChance, random } = this.context;
    if (goawayChance > 0 && random() < goawayChance) this.closeGracefully();
  }

  closeGracefully(): void {
    if (this.#session.isClosing) return;
    this.context.counters.goawaysSent++;
    this.#session.close();
  }

  /** Serves no request that arrives after this one, as kube-apiserver does for unauthenticated clients. */
  closeAfterThis(): void {
    if (!this.#session.isClosing) this.context.counters.goawaysSent++;
    this.#session.closeAtOnce();
  }

  destroy(): void {
    this.#session.destroy();
  }

  override sweep(now: number): void {
    if (now >= this.#pingDeadline) {
      this.context.counters.stalled++;
      this.destroy();
      return;
    }
    this.#session.sweep(now);
    super.sweep(now);
    if (now >= this.#nextPing) this.#ping(now);
  }

  protected exchangeStalled(now: number): void {
    this.#ping(now);
  }

  /** Detects clients that are gone, or do not read. */
  #ping(now: number): void {
    if (this.#pingDeadline < Number.POSITIVE_INFINITY) return;
    this.#pingDeadline = now + this.limits.stallTimeout;
    this.#nextPing = now + this.limits.pingInterval;
    this.#session.ping();
  }

  onMalformed(): void {
    this.context.counters.malformedRequests++;
  }

  onSessionError(): void {
    this.context.counters.sessionErrors++;
  }

  onPong(): void {
    this.#pingDeadline = Number.POSITIVE_INFINITY;
  }

  onRequest(stream: Http2Stream): void {
    const exchange = new Http2Exchange(this, stream);
    this.opened(exchange);
    const refusal = http2Refusal(stream.head);
    if (refusal !== undefined) {
      this.context.counters.malformedRequests++;
      exchange.respond(refusal.status, 'text/plain; charset=utf-8', refusal.body);
    } else this.context.turns.begin(exchange);
  }

  override handle(exchange: Http2Exchange): void {
    if (this.queuedBytes > this.limits.queuedBytesPerConnection) exchange.reset(ErrorCode.refusedStream);
    else super.handle(exchange);
  }
}
