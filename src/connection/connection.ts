import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { LinkedList } from '../collections/linked-list.ts';
import type { SessionEnvironment } from '../http2/session.ts';
import type { ProcessClock } from '../time/clock.ts';
import type { ExchangeHandler } from './exchange.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { ConnectionCounters, ConnectionLimits } from './limits.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { readPeerCertificates } from './peer-certificates.ts';
import type { RequestTurns } from './request-turns.ts';

/** Context shared by the connections of a listener. */
export interface ListenerContext {
  readonly handler: ExchangeHandler;
  /** Decides when a request begins. */
  readonly turns: RequestTurns;
  readonly limits: ConnectionLimits;
  readonly clock: Pick<ProcessClock, 'monotonic' | 'every'>;
  readonly counters: ConnectionCounters;
  /** Incomplete headers of all connections. */
  readonly headerBudget: MemoryBudget;
  /** Request bodies on HTTP/2 that nobody reads yet. */
  readonly unreadBudget: MemoryBudget;
  readonly http2: SessionEnvironment;
  readonly goawayChance: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  draining: boolean;
  /** Called when a connection's last exchange has finished. */
  onIdle(): void;
}

/**
 * One TLS connection and the exchanges open on it. How a connection ends depends on the protocol:
 * the two subclasses are in http1-connection.ts and http2-connection.ts.
 */
export abstract class Connection {
  readonly exchanges = new LinkedList<HttpExchange>();
  readonly remoteAddress: string;
  readonly remotePort: number;
  /** Whether the last request that was classified belongs to an important priority level. */
  isPreferred = false;
  /** When a sweep first found no exchange; opening an exchange makes it undefined. */
  #idleSince: number | undefined;
  #peerCertificates: readonly X509Certificate[] | undefined | null = null;

  constructor(
    readonly context: ListenerContext,
    readonly socket: TLSSocket,
  ) {
    this.remoteAddress = socket.remoteAddress ?? '';
    this.remotePort = socket.remotePort ?? 0;
  }

  get limits(): ConnectionLimits {
    return this.context.limits;
  }

  get peerCertificates(): readonly X509Certificate[] | undefined {
    if (this.#peerCertificates === null) this.#peerCertificates = readPeerCertificates(this.socket);
    return this.#peerCertificates;
  }

  opened(exchange: HttpExchange): void {
    this.exchanges.add(exchange);
    this.#idleSince = undefined;
    this.context.counters.exchanges++;
    this.context.counters.openExchanges++;
  }

  finished(exchange: HttpExchange): void {
    if (!this.exchanges.delete(exchange)) return;
    this.context.counters.openExchanges--;
    if (this.exchanges.size === 0) this.context.onIdle();
  }

  /** Handles a request whose turn it is. */
  handle(exchange: HttpExchange): void {
    this.context.handler(exchange);
  }

  onOverflow(): void {
    this.context.counters.overflowed++;
  }

  /** Ends exchanges without progress since the stall deadline, and the connection after the idle timeout. */
  sweep(now: number): void {
    for (let exchange = this.exchanges.first, next = exchange; exchange !== undefined; exchange = next) {
      next = exchange.next;
      if (!exchange.isStalled(now)) continue;
      this.context.counters.stalled++;
      exchange.abort();
      this.exchangeStalled(now);
    }
    if (this.exchanges.size > 0) return;
    this.#idleSince ??= now;
    const idle = now - this.#idleSince;
    if (idle >= this.limits.idleTimeout + this.limits.stallTimeout) this.destroy();
    else if (idle >= this.limits.idleTimeout || this.context.draining) this.closeGracefully();
  }

  /** Accepts no further requests and closes when the open ones are finished. Idempotent. */
  abstract closeGracefully(): void;
  /** Ends the connection immediately, with its open exchanges. */
  abstract destroy(): void;
  /** Called when a response was aborted because its peer stalled: decides whether the connection is dead. */
  protected abstract exchangeStalled(now: number): void;
}
