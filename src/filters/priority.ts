import type { Flow, FlowControl, Ticket } from '../flow-control/index.ts';
import { type Filter, type Handler, type RequestContext, whenEnded } from '../request/context.ts';
import type { MaybePromise } from '../steps/steps.ts';
import { processClock } from '../time/clock.ts';
import { isLongRunning } from './long-running.ts';
import { refuseTooMany } from './too-many.ts';

/** The longest time that a request may wait in a queue, in milliseconds. */
const LONGEST_WAIT = 60_000;
/** Part of the time of a request for which it may wait in a queue. */
const WAIT_SHARE = 1 / 4;

/** Levels whose clients lose leadership or nodes when the server is late; `exempt` never waits for others. */
const PREFERRED_LEVELS: ReadonlySet<string> = new Set(['exempt', 'leader-election', 'node-high', 'system']);

/**
 * Begins a request when priority and fairness gives it seats. Long-running requests other than watches are not
 * subject to it; a watch has seats until its initial events are sent.
 * @param requestTimeout milliseconds of `--request-timeout`, for requests without deadline
 */
export function priorityFilter(control: FlowControl, requestTimeout: number): Filter {
  const execute = (context: RequestContext, ticket: Ticket, next: Handler): MaybePromise<void> =>
    context.info.verb === 'watch'
      ? executeWatch(control, context, ticket, next)
      : whenEnded(next, context, () => control.finish(ticket));

  const wait = async (context: RequestContext, ticket: Ticket, next: Handler): Promise<void> => {
    const limit =
      context.deadline === Number.POSITIVE_INFINITY ? requestTimeout : context.deadline - context.arrived;
    const deadline = context.arrived + Math.min(limit * WAIT_SHARE, LONGEST_WAIT);
    await new Promise<void>((resolve) => {
      const cancel = control.wait(ticket, deadline, resolve);
      context.exchange.onFinished(cancel);
    });
    context.queueMilliseconds = processClock.monotonic() - ticket.arrivedAt;
    if (ticket.state === 'executing') return execute(context, ticket, next);
    refuseTooMany(context, ticket.flow.level.retryAfter.seconds);
  };

  return (context, next) => {
    if (context.info.verb !== 'watch' && isLongRunning(context.info)) return next(context);
    const flow = control.flowOf(context);
    context.flow = flow;
    context.turns = flow.turns;
    context.exchange.prefer(PREFERRED_LEVELS.has(flow.level.name));
    setHeaders(context, flow);
    const ticket = control.start(context, flow);
    if (ticket.state === 'executing') return execute(context, ticket, next);
    if (ticket.state === 'waiting') return wait(context, ticket, next);
    refuseTooMany(context, flow.level.retryAfter.seconds);
  };
}

function setHeaders({ exchange }: RequestContext, { schema, level }: Flow): void {
  exchange.setHeader('x-kubernetes-pf-flowschema-uid', schema.uid);
  exchange.setHeader('x-kubernetes-pf-prioritylevel-uid', level.settings.uid);
}

async function executeWatch(
  control: FlowControl,
  context: RequestContext,
  ticket: Ticket,
  next: Handler,
): Promise<void> {
  const forget = control.watches.add(context);
  const initialized = () => {
    if (ticket.state === 'executing') control.finish(ticket);
  };
  context.watchInitialized = initialized;
  try {
    await next(context);
  } finally {
    initialized();
    forget();
  }
}
