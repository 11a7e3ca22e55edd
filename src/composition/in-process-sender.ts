import type { Exchange, ExchangeHandler } from '../connection/exchange.ts';
import { createInProcessExchange } from '../connection/in-process.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { Send } from '../reconcile/client.ts';
import type { UserInfo } from '../request/user.ts';
import type { LoopTurns } from '../steps/turns.ts';
import { processClock } from '../time/clock.ts';
import type { Activity } from './activity.ts';

/** Label `host` of requests without a socket. */
const LOOPBACK_HOST = 'in-process';

export interface InProcessParts {
  readonly handle: ExchangeHandler;
  /** The users of in-process requests, for the authentication filter. */
  readonly identities: WeakMap<Exchange, UserInfo>;
  readonly metrics: ServerMetrics;
  /** The turns of the event loop for the cluster's own work. */
  readonly turns: LoopTurns;
  /** Counts the requests. */
  readonly activity: Activity;
}

/**
 * Sends requests of the server's own clients through its filter chain, each in a turn of the event loop: what a cluster
 * does of its own accord delays neither requests of clients nor other clusters.
 */
export const inProcessSender =
  ({ handle, identities, metrics, turns, activity }: InProcessParts) =>
  (user: UserInfo): Send =>
  (request) => {
    const { exchange, response } = createInProcessExchange(request);
    identities.set(exchange, user);
    const end = activity.begin();
    const turn = turns.pause();
    if (turn === undefined) handle(exchange);
    else void turn.then(() => handle(exchange));
    const started = processClock.monotonic();
    const done = (code: string) => {
      end();
      metrics.clientRequests.with(code, request.method, LOOPBACK_HOST).add();
      metrics.clientDuration
        .with(request.method, LOOPBACK_HOST)
        .observe((processClock.monotonic() - started) / 1000);
    };
    response.then(
      ({ status }) => done(String(status)),
      () => done('<error>'),
    );
    return response;
  };
