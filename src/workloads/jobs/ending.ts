import type { Job } from '../../model/generated/batch-v1.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import { timeToMilliseconds } from '../../model/time.ts';
import { policyFailure } from './failure-policy.ts';
import { completionsOf, isIndexed, isOnFailure, isSuspended, trueCondition } from './job.ts';
import type { ObservedJob } from './observed.ts';
import { policySuccess } from './success-policy.ts';

/** How a Job ends: its Pods are stopped, then it is complete or has failed. */
export interface Ending {
  readonly outcome: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
}

const failed = (reason: string, message: string): Ending => ({ outcome: 'Failed', reason, message });

/** All completions that were asked for have succeeded. */
export const COMPLETIONS_REACHED: Ending = {
  outcome: 'Complete',
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
};

/**
 * How a Job ends; undefined if it goes on. What the status says already comes first, then failures, then success by
 * policy.
 * @param now milliseconds since the epoch
 */
export function endingOf(observed: ObservedJob, now: number): Ending | undefined {
  const { job, pods } = observed;
  const conditions = job.status?.conditions;
  const success = trueCondition(conditions, 'SuccessCriteriaMet');
  if (success !== undefined) return { outcome: 'Complete', ...causeOf(success) };
  const failure = trueCondition(conditions, 'FailureTarget');
  if (failure !== undefined) return { outcome: 'Failed', ...causeOf(failure) };
  const message = policyFailure(job, pods);
  if (message !== undefined) return failed('PodFailurePolicy', message);
  return failureByLimit(observed, now) ?? failureByIndex(observed) ?? successByPolicy(observed);
}

const causeOf = ({ reason = '', message = '' }: { reason?: string; message?: string }) => ({
  reason,
  message,
});

function failureByLimit({ job, pods, failed: failures }: ObservedJob, now: number): Ending | undefined {
  if (failures > (job.spec?.backoffLimit ?? 0) || hasRestartedTooOften(job, pods))
    return failed('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  const left = untilDeadline(job, now);
  if (left !== undefined && left <= 0)
    return failed('DeadlineExceeded', 'Job was active longer than specified deadline');
  return undefined;
}

/** Restarts of containers count where they do not make a Pod fail. */
function hasRestartedTooOften({ spec = {} }: Job, pods: readonly Pod[]): boolean {
  if (!isOnFailure(spec)) return false;
  const { backoffLimit = 0 } = spec;
  const restarts = pods
    .filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending')
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit;
}

/**
 * Milliseconds until the active deadline of a Job, which may be past; undefined without one and while it does not
 * count.
 */
export function untilDeadline(job: Job, now: number): number | undefined {
  const { activeDeadlineSeconds } = job.spec ?? {};
  const { startTime } = job.status ?? {};
  if (activeDeadlineSeconds === undefined || isSuspended(job)) return undefined;
  const started = startTime === undefined ? now : timeToMilliseconds(startTime);
  return started + activeDeadlineSeconds * 1000 - now;
}

function failureByIndex({ job, failedIndexes, succeededIndexes }: ObservedJob): Ending | undefined {
  if (failedIndexes === undefined || failedIndexes.size === 0) return undefined;
  const { maxFailedIndexes } = job.spec ?? {};
  if (maxFailedIndexes !== undefined && failedIndexes.size > maxFailedIndexes)
    return failed(
      'MaxFailedIndexesExceeded',
      'Job has exceeded the specified maximal number of failed indexes',
    );
  if (failedIndexes.size + succeededIndexes.size >= completionsOf(job))
    return failed('FailedIndexes', 'Job has failed indexes');
  return undefined;
}

function successByPolicy({ job, succeededIndexes }: ObservedJob): Ending | undefined {
  const message = isIndexed(job) ? policySuccess(job, succeededIndexes) : undefined;
  return message === undefined ? undefined : { outcome: 'Complete', reason: 'SuccessPolicy', message };
}

/** Whether all completions have succeeded. @param active Pods that still run */
export function isComplete({ job, succeeded }: ObservedJob, active: number): boolean {
  if (active > 0) return false;
  const { completions } = job.spec ?? {};
  return completions === undefined ? succeeded > 0 : succeeded >= completions;
}
