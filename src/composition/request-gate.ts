import type { Exchange, ExchangeHandler } from '../connection/exchange.ts';
import { jsonText } from '../handlers/response/answer.ts';
import { errors } from '../status/index.ts';

/** Connects the listener, which starts early, to the request chain, which needs most other parts. */
export class RequestGate {
  #handle: ExchangeHandler = refuseUntilReady;

  /** Starts to pass requests to `handle`. */
  open(handle: ExchangeHandler): void {
    this.#handle = handle;
  }

  readonly handle: ExchangeHandler = (exchange) => this.#handle(exchange);
}

const STARTING = 'the server is starting; try again in a second';

/** Rejects requests until the bootstrap objects are stored; clients retry. */
function refuseUntilReady(exchange: Exchange): void {
  exchange.setHeader('retry-after', '1');
  exchange.respond(503, 'application/json', `${jsonText(errors.serviceUnavailable(STARTING).toStatus())}\n`);
}
