import type { Exchange } from './exchange.ts';
import { ForwardingExchange } from './forwarding-exchange.ts';

/** An exchange whose target is shown without the first part of its path. */
export class PrefixedExchange extends ForwardingExchange {
  readonly #pathPrefix: string;
  readonly #target: string;

  /** @param pathPrefix that the target begins with, as `/clusters/a`; a `/` follows it */
  constructor(exchange: Exchange, pathPrefix: string) {
    super(exchange);
    this.#pathPrefix = pathPrefix;
    this.#target = exchange.target.slice(pathPrefix.length);
  }

  override get pathPrefix(): string {
    return this.#pathPrefix;
  }

  override get target(): string {
    return this.#target;
  }
}
