import { type Filter, whenSettled } from '../request/context.ts';
import { GROUP_MASTERS } from '../request/user.ts';
import { isLongRunning } from './long-running.ts';
import { refuseTooMany } from './too-many.ts';

/** Limits on concurrent requests; 0 means no limit. */
export interface InFlightLimits {
  /** get, list and watch; `--max-requests-inflight`. */
  readonly readOnly: number;
  /** All others; `--max-mutating-requests-inflight`. */
  readonly mutating: number;
}

/** Seconds. */
const RETRY_AFTER = 1;
const READ_ONLY_VERBS = new Set(['get', 'list', 'watch']);

/**
 * Rejects requests above the limits with 429, as kube-apiserver without priority and fairness. Long-running
 * requests and requests of `system:masters` are exempt.
 */
export function maxInFlightFilter({ readOnly, mutating }: InFlightLimits): Filter {
  const inFlight = { readOnly: 0, mutating: 0 };
  return (context, next) => {
    const kind = READ_ONLY_VERBS.has(context.info.verb) ? 'readOnly' : 'mutating';
    const limit = kind === 'readOnly' ? readOnly : mutating;
    if (limit === 0 || isLongRunning(context.info)) return next(context);
    if (inFlight[kind] >= limit) {
      if (context.user.groups.includes(GROUP_MASTERS)) return next(context);
      return refuseTooMany(context, RETRY_AFTER);
    }
    inFlight[kind] += 1;
    return whenSettled(next(context), () => {
      inFlight[kind] -= 1;
    });
  };
}
