import type { Job } from '../../model/generated/batch-v1.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import { podsToDelete } from '../../reconcile/pods/deletion-order.ts';
import { isTerminating } from '../../reconcile/pods/pod-state.ts';
import { untilReplaced } from './back-off.ts';
import { completionsOf, hasLimitPerIndex, isIndexed, isSuspended, replacesOnlyFailed } from './job.ts';
import { indexesOf, type ObservedJob } from './observed.ts';
import { allFailuresBefore, finishedAt, indexOf } from './pods.ts';

/** Most Pods that one reconcile creates or deletes. */
const BURST = 500;

/** What brings the Pods of a Job nearer to those that it wants. */
export type PodPlan =
  | { readonly does: 'nothing' }
  | { readonly does: 'delete'; readonly pods: readonly Pod[] }
  /** One Pod for each entry: an index, or undefined for a Pod without one. */
  | { readonly does: 'create'; readonly indexes: readonly (number | undefined)[] }
  /** Failed Pods are replaced after some milliseconds. */
  | { readonly does: 'wait'; readonly milliseconds: number };

/** @param now milliseconds since the epoch */
export function planPods(observed: ObservedJob, now: number): PodPlan {
  const { job, active, terminating } = observed;
  const wanted = wantedActive(observed);
  const surplus = surplusPods(job, active, Math.max(0, active.length - wanted), now).slice(
    0,
    isSuspended(job) ? active.length : BURST,
  );
  if (surplus.length > 0) return { does: 'delete', pods: surplus };
  const missing = wanted - active.length - (replacesOnlyFailed(job) ? terminating : 0);
  return missing > 0 ? planCreation(observed, Math.min(missing, BURST), now) : { does: 'nothing' };
}

function wantedActive({ job, active, succeeded }: ObservedJob): number {
  if (isSuspended(job)) return 0;
  const { parallelism = 1, completions } = job.spec ?? {};
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

function planCreation(observed: ObservedJob, count: number, now: number): PodPlan {
  const { job, failures } = observed;
  if (!hasLimitPerIndex(job)) {
    const milliseconds = untilReplaced(failures, now);
    if (milliseconds > 0) return { does: 'wait', milliseconds };
  }
  if (!isIndexed(job)) return { does: 'create', indexes: Array.from({ length: count }, () => undefined) };
  const indexes = pendingIndexes(observed, count);
  const waits = indexes.map((index) => untilIndexReplaced(observed.replaced.get(index), now));
  const due = indexes.filter((_, position) => waits[position] === 0);
  if (due.length > 0 || indexes.length === 0)
    return due.length > 0 ? { does: 'create', indexes: due } : { does: 'nothing' };
  return { does: 'wait', milliseconds: Math.min(...waits) };
}

/** The lowest indexes that have no Pod and are not settled. */
function pendingIndexes(
  { job, pods, active, succeededIndexes, failedIndexes }: ObservedJob,
  count: number,
): readonly number[] {
  let settled = succeededIndexes.union(indexesOf(active));
  if (replacesOnlyFailed(job)) settled = settled.union(indexesOf(pods.filter(isTerminating)));
  if (failedIndexes !== undefined) settled = settled.union(failedIndexes);
  return settled.missing(count, completionsOf(job));
}

/** The failures of an index are those before its last Pod, and that one's. */
const untilIndexReplaced = (failed: Pod | undefined, now: number): number =>
  failed === undefined
    ? 0
    : untilReplaced({ count: allFailuresBefore(failed) + 1, last: finishedAt(failed) }, now);

/**
 * The active Pods that go: of an indexed Job those without an index that it still has and all but one of each index,
 * then as many more as are too many.
 */
function surplusPods(job: Job, active: readonly Pod[], atLeast: number, now: number): readonly Pod[] {
  const unwanted = isIndexed(job) ? unwantedIndexes(active, completionsOf(job), now) : [];
  if (unwanted.length >= atLeast) return unwanted;
  const left = active.filter((pod) => !unwanted.includes(pod));
  return [...unwanted, ...podsToDelete(left, active, atLeast - unwanted.length, now)];
}

function unwantedIndexes(active: readonly Pod[], completions: number, now: number): readonly Pod[] {
  const unwanted: Pod[] = [];
  const byIndex = new Map<number, Pod[]>();
  for (const pod of active) {
    const index = indexOf(pod);
    if (index === undefined || index >= completions) unwanted.push(pod);
    else byIndex.set(index, [...(byIndex.get(index) ?? []), pod]);
  }
  for (const pods of byIndex.values())
    if (pods.length > 1) unwanted.push(...podsToDelete(pods, active, pods.length - 1, now));
  return unwanted;
}
