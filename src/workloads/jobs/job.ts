import type { Job, JobCondition, JobSpec } from '../../model/generated/batch-v1.ts';
import { formatTime } from '../../model/time.ts';

/** Keeps a Pod until its end is counted in the status of its Job. */
export const TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking';

const CONTROLLER_NAME = 'kubernetes.io/job-controller';

export const isIndexed = ({ spec }: Job): boolean => spec?.completionMode === 'Indexed';

export const isSuspended = ({ spec }: Job): boolean => spec?.suspend === true;

/** Whether another controller keeps the Job (`spec.managedBy`). */
export const isManagedElsewhere = ({ spec }: Job): boolean =>
  spec?.managedBy !== undefined && spec.managedBy !== CONTROLLER_NAME;

/** Whether a Pod is replaced only after it has failed, not already while it is being deleted. */
export const replacesOnlyFailed = ({ spec = {} }: Job): boolean =>
  spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined;

export const hasLimitPerIndex = ({ spec }: Job): boolean => spec?.backoffLimitPerIndex !== undefined;

/** The number of indexes of an indexed Job, which validation requires. */
export const completionsOf = ({ spec }: Job): number => spec?.completions ?? 0;

export const isOnFailure = ({ template }: JobSpec): boolean => template?.spec?.restartPolicy === 'OnFailure';

export type JobConditionType = 'Complete' | 'Failed' | 'FailureTarget' | 'SuccessCriteriaMet' | 'Suspended';

/** The condition of a type that is true. */
export const trueCondition = (
  conditions: readonly JobCondition[] | undefined,
  type: JobConditionType,
): JobCondition | undefined =>
  conditions?.find((condition) => condition.type === type && condition.status === 'True');

/** Whether a Job has ended in this way. */
export const isFinishedAs = ({ status }: Job, outcome: 'Complete' | 'Failed'): boolean =>
  trueCondition(status?.conditions, outcome) !== undefined;

/** The condition that says how a Job has ended; undefined while it has not. */
export const finishedCondition = ({ status }: Job): JobCondition | undefined =>
  status?.conditions?.find(
    ({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True',
  );

/** Whether a Job has completed or failed: it is not reconciled any more. */
export const isJobFinished = (job: Job): boolean => finishedCondition(job) !== undefined;

/** A condition that begins now. @param now milliseconds since the epoch */
export function newCondition(
  type: JobConditionType,
  status: 'True' | 'False',
  reason: string,
  message: string,
  now: number,
): JobCondition {
  const time = formatTime(now);
  return { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message };
}

/**
 * The conditions with one of them. An absent one is not added to say `False`.
 * @returns undefined if nothing changes
 */
export function withCondition(
  conditions: readonly JobCondition[],
  condition: JobCondition,
): JobCondition[] | undefined {
  const index = conditions.findIndex(({ type }) => type === condition.type);
  if (index < 0) return condition.status === 'False' ? undefined : [...conditions, condition];
  const { status, reason, message } = conditions[index]!;
  if (status === condition.status && reason === condition.reason && message === condition.message)
    return undefined;
  return conditions.map((one, position) => (position === index ? condition : one));
}
