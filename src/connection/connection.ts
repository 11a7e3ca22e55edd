import type { PeerCertificate, TLSSocket } from 'node:tls';
import type { QueueAccount } from './body-writer.ts';
import type { ExchangeHandler } from './exchange.ts';
import type { HeaderBudget } from './header-budget.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { ConnectionClock, ConnectionCounters, ConnectionLimits } from './limits.ts';
import { readPeerCertificates } from './peer-certificates.ts';

/** What every connection of a listener shares. */
export interface ListenerContext {
  readonly handler: ExchangeHandler;
  readonly limits: ConnectionLimits;
  readonly clock: ConnectionClock;
  readonly counters: ConnectionCounters;
  readonly headerBudget: HeaderBudget;
  readonly http2MaxStreams: number;
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
export abstract class Connection implements QueueAccount {
  queuedBytes = 0;
  readonly exchanges = new Set<HttpExchange>();
  readonly remoteAddress: string;
  /** When the last exchange finished; undefined while any is open. */
  idleSince: number | undefined;
  #peerCertificates: readonly PeerCertificate[] | undefined | null = null;

  constructor(
    readonly context: ListenerContext,
    readonly socket: TLSSocket,
  ) {
    this.remoteAddress = socket.remoteAddress ?? '';
    this.idleSince = context.clock.now();
  }

  get limits(): ConnectionLimits {
    return this.context.limits;
  }

  get peerCertificates(): readonly PeerCertificate[] | undefined {
    if (this.#peerCertificates === null) this.#peerCertificates = readPeerCertificates(this.socket);
    return this.#peerCertificates;
  }

  opened(exchange: HttpExchange): void {
    this.exchanges.add(exchange);
    this.idleSince = undefined;
    this.context.counters.exchanges++;
    this.context.counters.openExchanges++;
  }

  finished(exchange: HttpExchange): void {
    if (!this.exchanges.delete(exchange)) return;
    this.context.counters.openExchanges--;
    if (this.exchanges.size > 0) return;
    this.idleSince = this.context.clock.now();
    this.context.onIdle();
  }

  onOverflow(): void {
    this.context.counters.overflowed++;
  }

  /**
   * Ends what has made no progress since the stall deadline, and the connection itself when it has been idle
   * too long.
   */
  sweep(now: number): void {
    for (const exchange of this.exchanges) {
      if (!exchange.isStalled(now)) continue;
      this.context.counters.stalled++;
      exchange.abort();
      this.exchangeStalled(now);
    }
    if (this.idleSince === undefined) return;
    const idle = now - this.idleSince;
    if (idle >= this.limits.idleTimeout + this.limits.stallTimeout) this.destroy();
    else if (idle >= this.limits.idleTimeout || this.context.draining) this.closeGracefully();
  }

  /** Takes no further requests and closes when the open ones have been answered. May be called repeatedly. */
  abstract closeGracefully(): void;
  /** Ends the connection now, with everything open on it. */
  abstract destroy(): void;
  /** An answer was ended because its peer took nothing: is the whole connection dead? */
  protected abstract exchangeStalled(now: number): void;
}
