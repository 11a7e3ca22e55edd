import { RequestUse, requestKind } from '../flow-control/index.ts';
import type { FlowControlMetrics } from '../observability/metrics-flow-control.ts';
import { type Filter, whenEnded } from '../request/context.ts';
import { GROUP_MASTERS } from '../request/user.ts';
import { processClock } from '../time/clock.ts';
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

/**
 * Rejects requests above the limits with 429, as kube-apiserver without priority and fairness. Long-running
 * requests and requests of `system:masters` are exempt.
 */
export function maxInFlightFilter(
  limits: InFlightLimits,
  { readAndWriteUse }: Pick<FlowControlMetrics, 'readAndWriteUse'>,
): Filter {
  const kindUse = (kind: 'readOnly' | 'mutating') => {
    const use = new RequestUse(readAndWriteUse.with('executing', kind), processClock.monotonic());
    use.setCapacity(limits[kind]);
    return { use, limit: limits[kind] };
  };
  const kinds = { readOnly: kindUse('readOnly'), mutating: kindUse('mutating') };
  return (context, next) => {
    const kind = kinds[requestKind(context.info.verb)];
    if (kind.limit === 0 || isLongRunning(context.info)) return next(context);
    if (kind.use.count >= kind.limit) {
      if (context.user.groups.includes(GROUP_MASTERS)) return next(context);
      return refuseTooMany(context, RETRY_AFTER);
    }
    const change = (by: number): void => kind.use.change(by, processClock.monotonic());
    change(1);
    return whenEnded(next, context, () => change(-1));
  };
}
