import type { Job } from '../../model/generated/batch-v1.ts';
import type { ContainerStatus, Pod } from '../../model/generated/core-v1.ts';
import { timeToMilliseconds } from '../../model/time.ts';
import { podCondition } from '../../reconcile/pods/pod-state.ts';
import { completionsOf, isIndexed, replacesOnlyFailed, TRACKING_FINALIZER } from './job.ts';

/** Annotation and label of the Pods of indexed Jobs. */
export const INDEX_ANNOTATION = 'batch.kubernetes.io/job-completion-index';
/** Failures of the index before the Pod, counted and ignored ones. */
export const FAILURE_COUNT_ANNOTATION = 'batch.kubernetes.io/job-index-failure-count';
export const IGNORED_FAILURE_COUNT_ANNOTATION = 'batch.kubernetes.io/job-index-ignored-failure-count';

const MAXIMUM_INT32 = 2 ** 31 - 1;
const NUMBER = /^[+-]?\d{1,19}$/;

/** Whether the end of a Pod has not been counted yet. */
export const isTracked = ({ metadata }: Pod): boolean =>
  metadata?.finalizers?.includes(TRACKING_FINALIZER) === true;

export const hasSucceeded = ({ status }: Pod): boolean => status?.phase === 'Succeeded';

/** Whether a Pod counts as failed: also while it is being deleted, unless only failed Pods are replaced. */
export function hasFailed(pod: Pod, job: Job): boolean {
  if (pod.status?.phase === 'Failed') return true;
  return !replacesOnlyFailed(job) && pod.metadata?.deletionTimestamp !== undefined && !hasSucceeded(pod);
}

/** The completion index of a Pod; undefined if it has none. */
export function indexOf(pod: Pod): number | undefined {
  const index = annotatedNumber(pod, INDEX_ANNOTATION);
  return index !== undefined && index >= 0 ? index : undefined;
}

/** Whether the end of a Pod counts for its Job: that of an indexed one needs an index that the Job still has. */
export function countsFor(pod: Pod, job: Job): boolean {
  if (!isIndexed(job)) return true;
  const index = indexOf(pod);
  return index !== undefined && index < completionsOf(job);
}

/** Failures of the index before a Pod that count. */
export const failuresBefore = (pod: Pod): number => failureCount(pod, FAILURE_COUNT_ANNOTATION);
/** Failures of the index before a Pod that a failure policy ignored. */
export const ignoredFailuresBefore = (pod: Pod): number =>
  failureCount(pod, IGNORED_FAILURE_COUNT_ANNOTATION);
/** All failures of the index before a Pod. */
export const allFailuresBefore = (pod: Pod): number => failuresBefore(pod) + ignoredFailuresBefore(pod);

/** 0 for what is no count: anybody may write the annotation. */
function failureCount(pod: Pod, annotation: string): number {
  const count = annotatedNumber(pod, annotation) ?? 0;
  return count >= 0 && count <= MAXIMUM_INT32 ? count : 0;
}

function annotatedNumber({ metadata }: Pod, annotation: string): number | undefined {
  const { annotations = {} } = metadata ?? {};
  const text = Object.hasOwn(annotations, annotation) ? annotations[annotation]! : '';
  return NUMBER.test(text) ? Number(text) : undefined;
}

/**
 * When a Pod ended, in milliseconds since the epoch: when its last container did, else when it stopped to be ready,
 * else when its deletion began, else its creation.
 */
export function finishedAt(pod: Pod): number {
  const { metadata = {} } = pod;
  const ready = podCondition(pod, 'Ready');
  const unreadySince = ready?.status === 'False' ? ready.lastTransitionTime : undefined;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = metadata;
  return (
    containersFinishedAt(pod) ??
    timeOf(unreadySince) ??
    (deletionTimestamp === undefined
      ? undefined
      : timeToMilliseconds(deletionTimestamp) - deletionGracePeriodSeconds * 1000) ??
    timeOf(creationTimestamp) ??
    0
  );
}

/** Sidecars end after the other containers. */
function containersFinishedAt({ spec, status }: Pod): number | undefined {
  const sidecars = new Set(
    (spec?.initContainers ?? [])
      .filter(({ restartPolicy }) => restartPolicy === 'Always')
      .map(({ name }) => name),
  );
  const statuses: readonly ContainerStatus[] = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)),
  ];
  const times = statuses.map(({ state }) => timeOf(state?.terminated?.finishedAt));
  if (times.length === 0 || times.includes(undefined)) return undefined;
  return Math.max(...(times as number[]));
}

const timeOf = (time: string | null | undefined): number | undefined =>
  time === undefined || time === null ? undefined : timeToMilliseconds(time);
