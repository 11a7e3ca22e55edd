import type { Exchange } from '../../connection/exchange.ts';
import { type ConnectionCounters, newCounters } from '../../connection/limits.ts';
import { processClock } from '../../time/clock.ts';
import type { ClusterListener } from '../start/open-server.ts';

/**
 * What a further cluster has in place of a listener: the requests of one cluster on the connections of its server,
 * which are counted with the first cluster.
 */
export class ClusterConnections implements ClusterListener {
  readonly counters: ConnectionCounters = newCounters();
  #onIdle: (() => void) | undefined;

  /** Counts an exchange until it has finished. */
  count(exchange: Pick<Exchange, 'onFinished'>): void {
    this.counters.exchanges += 1;
    this.counters.openExchanges += 1;
    exchange.onFinished(() => {
      this.counters.openExchanges -= 1;
      if (this.counters.openExchanges === 0) this.#onIdle?.();
    });
  }

  /** Names of client CAs are those of the listener: every authority of a server has the same one. */
  setCertificates(): void {}

  /** Waits for the requests in flight. */
  drain(milliseconds: number): Promise<boolean> {
    if (this.counters.openExchanges === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const cancel = processClock.after(milliseconds, () => resolve(false));
      this.#onIdle = () => {
        cancel();
        resolve(true);
      };
    });
  }
}
