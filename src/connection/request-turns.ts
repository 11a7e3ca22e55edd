import type { HttpExchange } from './http-exchange.ts';

/** Requests from which on the end of the turn is observed: for fewer, `setImmediate` would cost too much. */
const OBSERVED_FROM = 8;
/** Requests that begin in the turn in which they arrive, and the milliseconds after which no more do. */
const DIRECT_REQUESTS = 64;
const DIRECT_MILLISECONDS = 4;
/** Milliseconds for which waiting requests begin in one turn, and the same while clients wait for a handshake. */
const TURN_MILLISECONDS = 8;
const HANDSHAKE_TURN_MILLISECONDS = 2;
/** Of so many waiting requests that begin, one is not of the highest urgency. */
const ROUND = 4;

/** What the turns need of the process; tests decide when turns begin and how long work takes. */
export interface TurnTiming {
  monotonic(): number;
  /** Calls back in the next turn of the event loop, after what has arrived was read. */
  soon(callback: () => void): void;
  /** Calls back when everything has run that the present callback causes without waiting for the event loop. */
  afterMicrotasks(callback: () => void): void;
}

export const PROCESS_TIMING: TurnTiming = {
  monotonic: () => performance.now(),
  soon: (callback) => void setImmediate(callback),
  afterMicrotasks: (callback) => queueMicrotask(() => process.nextTick(callback)),
};

/** `0` comes first. */
type Urgency = 0 | 1 | 2;

/**
 * Begins the requests of all connections of a listener, so that a burst does not keep the event loop from
 * connections and handshakes: a turn begins requests for a few milliseconds. The others wait, bounded by the
 * streams of their connections; Leases and health checks come first, then clients of important priority levels.
 */
export class RequestTurns {
  readonly #timing: TurnTiming;
  readonly #hasHandshakes: () => boolean;
  readonly #waiting: readonly [HttpExchange[], HttpExchange[], HttpExchange[]] = [[], [], []];
  /** Requests begun in this turn; may include fewer than OBSERVED_FROM of earlier turns. */
  #begun = 0;
  #observedAt = 0;
  #waitingCount = 0;
  #turnBegan = 0;
  #turnMilliseconds = 0;
  #round = 0;

  /** @param hasHandshakes whether clients wait for their TLS handshake */
  constructor(hasHandshakes: () => boolean, timing: TurnTiming = PROCESS_TIMING) {
    this.#hasHandshakes = hasHandshakes;
    this.#timing = timing;
  }

  /** Begins a request now, or in a later turn. */
  begin(exchange: HttpExchange): void {
    if (this.#waitingCount > 0 || !this.#hasTimeLeft()) {
      this.#waiting[urgencyOf(exchange)].push(exchange);
      this.#waitingCount += 1;
      return;
    }
    this.#begun += 1;
    if (this.#begun === OBSERVED_FROM) {
      this.#observedAt = this.#timing.monotonic();
      this.#timing.soon(this.#onTurn);
    }
    exchange.connection.handle(exchange);
  }

  #hasTimeLeft(): boolean {
    if (this.#begun < OBSERVED_FROM) return true;
    return this.#begun < DIRECT_REQUESTS && this.#timing.monotonic() - this.#observedAt < DIRECT_MILLISECONDS;
  }

  readonly #onTurn = (): void => {
    this.#begun = 0;
    if (this.#waitingCount === 0) return;
    this.#turnBegan = this.#timing.monotonic();
    this.#turnMilliseconds = this.#hasHandshakes() ? HANDSHAKE_TURN_MILLISECONDS : TURN_MILLISECONDS;
    this.#beginNext();
  };

  readonly #beginNext = (): void => {
    const exchange = this.#next();
    if (exchange === undefined) return;
    exchange.connection.handle(exchange);
    if (this.#waitingCount > 0) this.#timing.afterMicrotasks(this.#continue);
  };

  readonly #continue = (): void => {
    if (this.#timing.monotonic() - this.#turnBegan < this.#turnMilliseconds) this.#beginNext();
    else this.#timing.soon(this.#onTurn);
  };

  /** The next request that its client has not given up. Most streams of a reset flood are closed by now. */
  #next(): HttpExchange | undefined {
    while (this.#waitingCount > 0) {
      const exchange = this.#shift();
      if (!exchange.closed) return exchange;
    }
    return undefined;
  }

  #shift(): HttpExchange {
    const [first, second, third] = this.#waiting;
    this.#waitingCount -= 1;
    this.#round = (this.#round + 1) % ROUND;
    const order = this.#round === 0 ? [third, second, first] : [first, second, third];
    return order.find((queue) => queue.length > 0)!.shift()!;
  }
}

/** Paths of requests that must not wait for others: a Lease that is not renewed in time is lost. */
const URGENT_PATH = /^\/(?:apis\/coordination\.k8s\.io\/|healthz|livez|readyz)/;

const urgencyOf = ({ target, connection }: HttpExchange): Urgency =>
  URGENT_PATH.test(target) ? 0 : connection.isPreferred ? 1 : 2;
