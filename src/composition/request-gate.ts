import type { Exchange, ExchangeHandler } from '../connection/exchange.ts';
import { jsonText } from '../handlers/response/answer.ts';
import { errors } from '../status/index.ts';

/** The check that fails until the roles and the other objects of every cluster exist; kube-apiserver's name. */
export const BOOTSTRAP_CHECK = 'poststarthook/rbac/bootstrap-roles';

/**
 * Connects the listener, which starts early, to the request chain, which needs most other parts. Until it is open,
 * and while the chain is replaced, it answers health checks and rejects requests.
 */
export class RequestGate {
  #handle: ExchangeHandler = refusalWaitingFor(BOOTSTRAP_CHECK);

  /** What the check of this name checks does not answer yet: the process lives, and is not ready. */
  waitFor(check: string): void {
    this.#handle = refusalWaitingFor(check);
  }

  /** The storage answers; the request chain is not ready yet. */
  storageAnswers(): void {
    this.waitFor(BOOTSTRAP_CHECK);
  }

  /** Starts to pass requests to `handle`. */
  open(handle: ExchangeHandler): void {
    this.#handle = handle;
  }

  readonly handle: ExchangeHandler = (exchange) => this.#handle(exchange);
}

const PLAIN_TEXT = 'text/plain; charset=utf-8';
const STARTING = 'the server is starting; try again in a second';

/** Rejects requests until the bootstrap objects are stored; clients retry. */
function refuseUntilReady(exchange: Exchange): void {
  exchange.setHeader('retry-after', '1');
  exchange.respond(503, 'application/json', `${jsonText(errors.serviceUnavailable(STARTING).toStatus())}\n`);
}

/** Refuses requests while a check fails. */
function refusalWaitingFor(check: string): ExchangeHandler {
  return (exchange) => refuseWaiting(exchange, check);
}

function refuseWaiting(exchange: Exchange, check: string): void {
  const path = exchange.target.split('?', 1)[0]!;
  const endpoint = /^\/(healthz|readyz|livez)(\/|$)/.exec(path)?.[1];
  if (endpoint === undefined) refuseUntilReady(exchange);
  else if (path === '/livez' || path === '/livez/ping') exchange.respond(200, PLAIN_TEXT, 'ok');
  else {
    exchange.setHeader('x-content-type-options', 'nosniff');
    exchange.respond(500, PLAIN_TEXT, `[-]${check} failed: reason withheld\n${endpoint} check failed\n`);
  }
}
