import type { Exchange, ExchangeHandler } from '../connection/exchange.ts';
import { jsonText } from '../handlers/response/answer.ts';
import { errors } from '../status/index.ts';

/** Stands between the listener, which starts early, and the request chain, which needs most other parts. */
export class RequestGate {
  #handle: ExchangeHandler = refuseUntilReady;

  /** Passes requests on to `handle` from now on. */
  open(handle: ExchangeHandler): void {
    this.#handle = handle;
  }

  readonly handle: ExchangeHandler = (exchange) => this.#handle(exchange);
}

const STARTING = 'the server is starting; try again in a second';

/** The port is open before the store holds the objects of a new cluster: clients retry. */
function refuseUntilReady(exchange: Exchange): void {
  exchange.setHeader('retry-after', '1');
  exchange.respond(503, 'application/json', `${jsonText(errors.serviceUnavailable(STARTING).toStatus())}\n`);
}
