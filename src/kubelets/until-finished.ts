import type { Exchange } from '../connection/exchange.ts';

/** A signal that ends what is done for a request when the client has disconnected or has its response. */
export function untilFinished(exchange: Exchange): AbortSignal {
  const stop = new AbortController();
  exchange.onFinished(() => stop.abort());
  return stop.signal;
}
