import type { JobStatus, UncountedTerminatedPods } from '../../model/generated/batch-v1.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import type { Ending } from './ending.ts';
import { isCounted } from './failure-policy.ts';
import { IndexSet } from './intervals.ts';
import { isIndexed, newCondition, trueCondition, withCondition } from './job.ts';
import type { ObservedJob } from './observed.ts';
import { countsFor, hasFailed, hasSucceeded, indexOf, isTracked } from './pods.ts';

/** Pods whose end the status may name at the same time: bounds its size. */
const MAXIMUM_UNCOUNTED = 500;

/** The ends of Pods that a status takes over, in two steps: it names them, then they are released and counted. */
export interface Tracking {
  /** Names the Pods in {@link released} whose end is counted once they have no finalizer any more. */
  readonly status: JobStatus;
  /** Pods that lose their finalizer once the status is written. */
  readonly released: readonly Pod[];
  /** Whether no other Pod waits to be released. */
  readonly isWhole: boolean;
}

/**
 * Takes the ends of Pods over into a status.
 * @param status of the present counts, without the ends since the last time
 * @param ending of the Job: then all Pods end
 */
export function track(observed: ObservedJob, status: JobStatus, ending: Ending | undefined): Tracking {
  const { job, pods } = observed;
  const settled = countReleased(status, trackedUids(pods));
  const uncounted = {
    succeeded: [...(settled.uncountedTerminatedPods?.succeeded ?? [])],
    failed: [...(settled.uncountedTerminatedPods?.failed ?? [])],
  };
  const indexes: number[] = [];
  const released: Pod[] = [];
  let isWhole = true;
  for (const pod of pods) {
    if (!isTracked(pod) || !isReleasable(observed, pod, ending)) continue;
    if (uncounted.succeeded.length + uncounted.failed.length + indexes.length >= MAXIMUM_UNCOUNTED) {
      isWhole = false;
      break;
    }
    released.push(pod);
    const { uid = '' } = pod.metadata ?? {};
    const counts = countsFor(pod, job);
    if (hasSucceeded(pod) && !uncounted.failed.includes(uid)) {
      if (isIndexed(job)) {
        const index = indexOf(pod);
        if (counts && !observed.counted.has(index!)) indexes.push(index!);
      } else if (!uncounted.succeeded.includes(uid)) uncounted.succeeded.push(uid);
    } else if (hasFailed(pod, job) || ending?.outcome === 'Failed') {
      if (counts && isCounted(job, pod) && !uncounted.failed.includes(uid)) uncounted.failed.push(uid);
    }
  }
  const withIndexes = isIndexed(job) ? indexCounts(observed, indexes) : {};
  return {
    status: { ...settled, ...withIndexes, uncountedTerminatedPods: nonEmpty(uncounted) },
    released,
    isWhole,
  };
}

/** A failed Pod whose failures its replacement takes over stays until it is replaced. */
function isReleasable({ job, replaced }: ObservedJob, pod: Pod, ending: Ending | undefined): boolean {
  if (job.metadata?.deletionTimestamp !== undefined || ending !== undefined || hasSucceeded(pod)) return true;
  return hasFailed(pod, job) && replaced.get(indexOf(pod) ?? -1) !== pod;
}

function indexCounts(
  { succeededIndexes, failedIndexes }: ObservedJob,
  indexes: readonly number[],
): Partial<JobStatus> {
  const succeeded = succeededIndexes.union(IndexSet.of(indexes));
  return {
    succeeded: succeeded.size,
    completedIndexes: succeeded.toString(),
    ...(failedIndexes !== undefined && { failedIndexes: failedIndexes.toString() }),
  };
}

export const trackedUids = (pods: readonly Pod[]): ReadonlySet<string> =>
  new Set(pods.filter(isTracked).map(({ metadata }) => metadata?.uid ?? ''));

/** Counts the Pods that the status names and that have no finalizer any more. @param tracked uids of those that have it */
export function countReleased(status: JobStatus, tracked: ReadonlySet<string>): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const left = {
    succeeded: succeeded.filter((uid) => tracked.has(uid)),
    failed: failed.filter((uid) => tracked.has(uid)),
  };
  return {
    ...status,
    succeeded: (status.succeeded ?? 0) + succeeded.length - left.succeeded.length,
    failed: (status.failed ?? 0) + failed.length - left.failed.length,
    uncountedTerminatedPods: nonEmpty(left),
  };
}

function nonEmpty({ succeeded = [], failed = [] }: UncountedTerminatedPods): UncountedTerminatedPods {
  return { ...(succeeded.length > 0 && { succeeded }), ...(failed.length > 0 && { failed }) };
}

/** A status that says how the Job is going to end. @param now milliseconds since the epoch */
export function announce(status: JobStatus, { outcome, reason, message }: Ending, now: number): JobStatus {
  const type = outcome === 'Failed' ? 'FailureTarget' : 'SuccessCriteriaMet';
  if (trueCondition(status.conditions, type) !== undefined) return status;
  const condition = newCondition(type, 'True', reason, message, now);
  return { ...status, conditions: [...(status.conditions ?? []), condition] };
}

/**
 * A status that says that the Job has ended; undefined while Pods are to be counted or end.
 * @param now milliseconds since the epoch
 */
export function finish(
  status: JobStatus,
  { outcome, reason, message }: Ending,
  terminating: number,
  now: number,
): JobStatus | undefined {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  if (succeeded.length + failed.length + terminating > 0) return undefined;
  const condition = newCondition(outcome, 'True', reason, message, now);
  const { conditions = [] } = status;
  return {
    ...status,
    conditions: withCondition(conditions, condition) ?? [...conditions],
    ...(outcome === 'Complete' && { completionTime: condition.lastTransitionTime! }),
  };
}
