import type { Job } from '../../model/generated/batch-v1.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import { isActive, isReady, isTerminating } from '../../reconcile/pods/pod-state.ts';
import { type Failures, withFinished } from './back-off.ts';
import { failureAction, isCounted } from './failure-policy.ts';
import { IndexSet } from './intervals.ts';
import { completionsOf, hasLimitPerIndex, isIndexed } from './job.ts';
import {
  allFailuresBefore,
  countsFor,
  failuresBefore,
  finishedAt,
  hasFailed,
  hasSucceeded,
  indexOf,
  isTracked,
} from './pods.ts';

/** A Job with its Pods, and what follows from them. */
export interface ObservedJob {
  readonly job: Job;
  /** All Pods of the Job; those of an indexed one by their index. */
  readonly pods: readonly Pod[];
  readonly active: readonly Pod[];
  readonly ready: number;
  readonly terminating: number;
  /** Pods that have succeeded, with those that the status does not count yet; indexes of an indexed Job. */
  readonly succeeded: number;
  /** Failures that count, with those that the status does not count yet. */
  readonly failed: number;
  /** The failures since the last success. */
  readonly failures: Failures;
  /** Indexes that the status has as succeeded; empty without indexes. */
  readonly counted: IndexSet;
  /** {@link counted}, and those that have succeeded since. */
  readonly succeededIndexes: IndexSet;
  /** Undefined without a limit of failures per index. */
  readonly failedIndexes: IndexSet | undefined;
  /** The failed Pod of each index whose replacement takes over its failures. It stays until it is replaced. */
  readonly replaced: ReadonlyMap<number, Pod>;
}

/** @param failures that are known from before */
export function observe(job: Job, unordered: readonly Pod[], failures: Failures): ObservedJob {
  const { status = {} } = job;
  const pods = isIndexed(job) ? byIndex(unordered) : unordered;
  const active = pods.filter(isActive);
  const uncounted = status.uncountedTerminatedPods ?? {};
  const isNew = (pod: Pod, known: readonly string[] = []): boolean =>
    isTracked(pod) && !known.includes(pod.metadata?.uid ?? '') && countsFor(pod, job);
  const succeeded = pods.filter((pod) => isNew(pod, uncounted.succeeded) && hasSucceeded(pod));
  const failed = pods.filter((pod) => isNew(pod, uncounted.failed) && hasFailed(pod, job));
  const indexes = observeIndexes(job, pods, active);
  return {
    job,
    pods,
    active,
    ready: active.filter(isReady).length,
    terminating: pods.filter(isTerminating).length,
    succeeded: isIndexed(job)
      ? indexes.succeededIndexes.size
      : (status.succeeded ?? 0) + succeeded.length + (uncounted.succeeded?.length ?? 0),
    failed:
      (status.failed ?? 0) +
      failed.filter((pod) => isCounted(job, pod)).length +
      (uncounted.failed?.length ?? 0),
    failures: withFinished(failures, succeeded, failed),
    ...indexes,
  };
}

/** In the order of indexes; Pods without one come first. */
const byIndex = (pods: readonly Pod[]): readonly Pod[] =>
  [...pods].sort((one, other) => (indexOf(one) ?? -1) - (indexOf(other) ?? -1));

type ObservedIndexes = Pick<ObservedJob, 'counted' | 'succeededIndexes' | 'failedIndexes' | 'replaced'>;

function observeIndexes(job: Job, pods: readonly Pod[], active: readonly Pod[]): ObservedIndexes {
  if (!isIndexed(job))
    return {
      counted: IndexSet.EMPTY,
      succeededIndexes: IndexSet.EMPTY,
      failedIndexes: undefined,
      replaced: new Map(),
    };
  const { status = {} } = job;
  const completions = completionsOf(job);
  const tracked = pods.filter((pod) => isTracked(pod) && countsFor(pod, job));
  const counted = IndexSet.parse(status.completedIndexes ?? '', completions);
  const succeededIndexes = counted.union(indexesOf(tracked.filter(hasSucceeded)));
  if (!hasLimitPerIndex(job))
    return { counted, succeededIndexes, failedIndexes: undefined, replaced: new Map() };
  const failedIndexes = IndexSet.parse(status.failedIndexes ?? '', completions).union(
    indexesOf(tracked.filter((pod) => failsIndex(job, pod))),
  );
  const settled = succeededIndexes.union(failedIndexes).union(indexesOf(active));
  return { counted, succeededIndexes, failedIndexes, replaced: lastFailures(job, tracked, settled) };
}

export const indexesOf = (pods: readonly Pod[]): IndexSet =>
  IndexSet.of(pods.map(indexOf).filter((index) => index !== undefined));

/** Whether the failure of a Pod is the last one that its index may have. */
function failsIndex(job: Job, pod: Pod): boolean {
  if (!hasFailed(pod, job)) return false;
  const action = failureAction(job, pod);
  if (action === 'FailIndex') return true;
  return action !== 'Ignore' && failuresBefore(pod) >= (job.spec?.backoffLimitPerIndex ?? 0);
}

/** The last failed Pod of each index that is still to be tried. */
function lastFailures(job: Job, pods: readonly Pod[], settled: IndexSet): ReadonlyMap<number, Pod> {
  const last = new Map<number, Pod>();
  for (const pod of pods) {
    const index = indexOf(pod)!;
    if (settled.has(index) || !hasFailed(pod, job)) continue;
    const known = last.get(index);
    if (
      known === undefined ||
      (allFailuresBefore(known) <= allFailuresBefore(pod) && finishedAt(pod) >= finishedAt(known))
    )
      last.set(index, pod);
  }
  return last;
}
