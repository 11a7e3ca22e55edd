import type { Filter, RequestContext } from '../request/context.ts';
import { Query } from '../request/query.ts';
import { ApiError, errors } from '../status/index.ts';
import { type ProcessClock, processClock } from '../time/clock.ts';
import { pause } from '../time/pause.ts';
import type { Faults } from './faults.ts';
import { FaultyExchange } from './faulty-exchange.ts';
import { type FaultRule, waitOf } from './rule.ts';

export interface FaultFilterOptions {
  readonly faults: Faults;
  /** The present revision, and the oldest whose state is known; undefined for a store that delivers late. */
  readonly revisions: () => { readonly revision: number; readonly compactedRevision: number } | undefined;
  readonly clock?: Pick<ProcessClock, 'after'>;
}

const MESSAGE = 'a rule of --faults refuses the request';

/** Lets the faults happen that the rules decide. The innermost filter: user and permissions are known. */
export function faultFilter({ faults, revisions, clock = processClock }: FaultFilterOptions): Filter {
  return (context, next) => {
    if (faults.isEmpty) return next(context);
    const { info, query, user, exchange } = context;
    const rule = faults.decide({ info, query, user: user.name, isOwn: context.isOwn === true });
    if (rule === undefined) return next(context);
    if (rule.status !== undefined) throw refusal(rule.status, rule.retryAfter ?? 1);
    if (rule.expire !== undefined) throw errors.expired(`The resourceVersion is too old: ${MESSAGE}`);
    if (rule.cut === 'before') {
      exchange.abort();
      return undefined;
    }
    if (rule.delay !== undefined) {
      const wait = waitOf('delay', rule.delay);
      return pause(wait, clock).then(() => (exchange.closed ? undefined : next(context)));
    }
    if (rule.stale === undefined) context.exchange = new FaultyExchange(exchange, rule, clock);
    else context.query = staleQuery(context, rule.stale, revisions());
    return next(context);
  };
}

/** The query of a list with `resourceVersion=0`, for an older state. */
function staleQuery(
  { exchange, query }: RequestContext,
  distance: number,
  known: ReturnType<FaultFilterOptions['revisions']>,
): Query {
  if (known === undefined) return query;
  const revision = Math.max(1, known.compactedRevision, known.revision - distance);
  const parameters = new URLSearchParams(exchange.target.split('?', 2)[1] ?? '');
  parameters.set('resourceVersion', String(revision));
  parameters.set('resourceVersionMatch', 'Exact');
  return new Query(parameters.toString());
}

function refusal(status: FaultRule['status'], retryAfter: number): ApiError {
  switch (status) {
    case 409:
      return new ApiError(409, 'Conflict', MESSAGE, undefined);
    case 429:
      return errors.tooManyRequests(MESSAGE, retryAfter);
    case 503:
      return new ApiError(503, 'ServiceUnavailable', MESSAGE, { retryAfterSeconds: retryAfter });
    default:
      return errors.internal(MESSAGE);
  }
}
