import { type Linked, LinkedList } from '../collections/linked-list.ts';
import { type Filter, type RequestContext, whenEnded } from '../request/context.ts';
import { errors } from '../status/index.ts';
import { processClock } from '../time/clock.ts';
import { parseMilliseconds } from '../time/duration.ts';
import { isLongRunning } from './long-running.ts';

/** A request with a deadline. */
interface Pending extends Linked<Pending> {
  readonly context: RequestContext;
}

/** How late the response can be. */
const SWEEP_MILLISECONDS = 200;
const TIMEOUT_STATUS = {
  metadata: {},
  status: 'Failure',
  message: 'Timeout: request did not complete within the allotted timeout',
  reason: 'Timeout',
  details: {},
  code: 504,
} as const;
const TIMEOUT_BODY = `${JSON.stringify(TIMEOUT_STATUS)}\n`;

/** What the audit event of a write shows: kube-apiserver's handler notices the end of the time itself. */
const AUDITED_STATUS = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'Timeout: request did not complete within requested timeout - context deadline exceeded',
  reason: 'Timeout',
  details: {},
  code: 504,
} as const;
const WRITES: readonly string[] = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/**
 * Times out requests: the `timeout` parameter shortens the server's limit. Long-running requests have no
 * deadline. A single timer sweeps all requests, since nearly all of them end long before.
 */
export function deadlineFilter(
  limitMilliseconds: number,
  now: () => number = processClock.monotonic,
): { filter: Filter; stop(): void } {
  const pending = new LinkedList<Pending>();
  let stopSweeping: (() => void) | undefined;
  const sweep = () => {
    const time = now();
    for (let entry = pending.first, next = entry; entry !== undefined; entry = next) {
      const { context } = entry;
      next = entry.next;
      if (time < context.deadline) continue;
      pending.delete(entry);
      if (!context.exchange.responded) answerTimeout(context);
    }
    if (pending.size === 0) {
      stopSweeping?.();
      stopSweeping = undefined;
    }
  };
  const filter: Filter = (context, next) => {
    const limit = isLongRunning(context.info)
      ? undefined
      : Math.min(
          limitMilliseconds,
          context.query.empty ? limitMilliseconds : (requested(context) ?? limitMilliseconds),
        );
    if (limit === undefined) return next(context);
    context.deadline = context.arrived + limit;
    if (now() >= context.deadline) return answerTimeout(context);
    const entry: Pending = { context, previous: undefined, next: undefined };
    pending.add(entry);
    stopSweeping ??= processClock.every(SWEEP_MILLISECONDS, sweep);
    return whenEnded(next, context, () => pending.delete(entry));
  };
  return { filter, stop: () => stopSweeping?.() };
}

/** Responds like kube-apiserver's timeout filter: a Status without kind, as text, for every Accept header. */
function answerTimeout(context: RequestContext): void {
  const { audit, info } = context;
  if (info.isResource && WRITES.includes(info.verb)) {
    audit?.setResponseStatus(AUDITED_STATUS);
    audit?.setResponseBody(JSON.stringify(AUDITED_STATUS));
  }
  context.status = TIMEOUT_STATUS.code;
  context.exchange.respond(TIMEOUT_STATUS.code, 'text/plain; charset=utf-8', TIMEOUT_BODY);
}

/** Milliseconds of the `timeout` parameter; undefined when absent or not positive. @throws ApiError 400 */
function requested({ query }: RequestContext): number | undefined {
  const text = query.get('timeout');
  if (text === '') return undefined;
  try {
    const milliseconds = parseMilliseconds(text);
    return milliseconds > 0 ? milliseconds : undefined;
  } catch (error) {
    throw errors.badRequest(`invalid timeout specified in the request URL - ${(error as Error).message}`);
  }
}
