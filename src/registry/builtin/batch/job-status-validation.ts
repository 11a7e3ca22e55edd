import { duplicate, type FieldError, invalid, required } from '../../../status/field-error.ts';
import { validateNonNegative } from '../../validation/fields.ts';
import { invalidShown, shownTime, shownValue } from '../../validation/shown.ts';
import { countIndexes } from './index-list.ts';
import type { Job, JobStatus } from './job-types.ts';

const isTrue = (status: JobStatus | undefined, type: string): boolean =>
  (status?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');

/** Conditions that contradict each other, with the text. */
const CONTRADICTIONS: readonly (readonly [has: string, other: string, otherIs: boolean, text: string])[] = [
  ['Complete', 'Failed', true, 'cannot set Complete=True and Failed=true conditions'],
  ['Complete', 'FailureTarget', true, 'cannot set Complete=True and FailureTarget=true conditions'],
  ['Failed', 'FailureTarget', false, 'cannot set Failed=True condition without the FailureTarget=true condition'],
  ['Failed', 'SuccessCriteriaMet', true, 'cannot set SuccessCriteriaMet=True and Failed=true conditions'],
  ['FailureTarget', 'SuccessCriteriaMet', true, 'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'],
  ['Complete', 'SuccessCriteriaMet', false, 'cannot set Complete=True condition without the SuccessCriteriaMet=true condition'],
];

/** What a controller may report: nothing that contradicts itself, and nothing that takes back a final word. */
export function validateJobStatusUpdate(job: Job, old: Job): FieldError[] {
  const { status = {} } = job;
  return [
    ...validateCounts(status),
    ...validateFinished(status),
    ...validateConditions(status),
    ...validateTimes(status),
    ...validateIndexes(job),
    ...validateChange(job, old),
  ];
}

function validateCounts(status: JobStatus): FieldError[] {
  const errors = (['active', 'succeeded', 'failed', 'ready', 'terminating'] as const).flatMap((name) => validateNonNegative(status[name], `status.${name}`));
  if (status.ready !== undefined && status.ready > (status.active ?? 0))
    errors.push(invalid('status.ready', status.ready, 'cannot set more ready pods than active'));
  for (const name of ['succeeded', 'failed'] as const) {
    const seen = new Set<string>();
    status.uncountedTerminatedPods?.[name]?.forEach((uid, index) => {
      const field = `status.uncountedTerminatedPods.${name}[${index}]`;
      if (uid === '') errors.push(invalid(field, uid, 'must not be empty'));
      else if (seen.has(uid)) errors.push(duplicate(field, uid));
      seen.add(uid);
    });
  }
  return errors;
}

function validateFinished(status: JobStatus): FieldError[] {
  if (!isTrue(status, 'Complete') && !isTrue(status, 'Failed')) return [];
  const { active = 0, terminating = 0, startTime, uncountedTerminatedPods: uncounted } = status;
  const errors: FieldError[] = [];
  if (active > 0) errors.push(invalid('status.active', active, 'active>0 is invalid for finished job'));
  if (terminating > 0) errors.push(invalid('status.terminating', terminating, 'terminating>0 is invalid for finished job'));
  if (!startTime && !isTrue(status, 'Failed')) errors.push(required('status.startTime', 'startTime is required for finished job'));
  if ((uncounted?.succeeded?.length ?? 0) + (uncounted?.failed?.length ?? 0) > 0)
    errors.push(invalidShown('status.uncountedTerminatedPods', shownValue(uncounted), 'uncountedTerminatedPods needs to be empty for finished job'));
  return errors;
}

const validateConditions = (status: JobStatus): FieldError[] =>
  CONTRADICTIONS.flatMap(([has, other, otherIs, text]) =>
    isTrue(status, has) && isTrue(status, other) === otherIs ? [invalidShown('status.conditions', '', text)] : [],
  );

function validateTimes(status: JobStatus): FieldError[] {
  const { startTime, completionTime } = status;
  const isComplete = isTrue(status, 'Complete');
  const errors: FieldError[] = [];
  if (isComplete && !completionTime) errors.push(required('status.completionTime', 'completionTime is required for Complete jobs'));
  if (!completionTime) return errors;
  if (!isComplete)
    errors.push(invalidShown('status.completionTime', shownTime(completionTime), 'cannot set completionTime when there is no Complete=True condition'));
  if (startTime && completionTime < startTime)
    errors.push(invalidShown('status.completionTime', shownTime(completionTime), 'completionTime cannot be set before startTime'));
  return errors;
}

function validateIndexes({ spec = {}, status = {} }: Job): FieldError[] {
  const errors: FieldError[] = [];
  const isIndexed = spec.completionMode === 'Indexed';
  for (const name of ['completedIndexes', 'failedIndexes'] as const) {
    const text = status[name];
    if (!text) continue;
    const field = `status.${name}`;
    if (!isIndexed) errors.push(invalid(field, text, `cannot set non-empty ${name} when non-indexed completion mode`));
    else if (name === 'failedIndexes' && spec.backoffLimitPerIndex === undefined)
      errors.push(invalid(field, text, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'));
    else {
      const { error } = countIndexes(text, spec.completions ?? 0);
      if (error !== undefined) errors.push(invalid(field, text, `error parsing ${name}: ${error}`));
    }
  }
  return errors;
}

function validateChange({ spec, status = {} }: Job, { spec: oldSpec, status: old = {} }: Job): FieldError[] {
  const errors: FieldError[] = [];
  for (const type of ['Complete', 'Failed', 'SuccessCriteriaMet', 'FailureTarget']) {
    if (isTrue(old, type) && !isTrue(status, type)) errors.push(invalidShown('status.conditions', '', `cannot disable the terminal ${type}=True condition`));
  }
  for (const name of ['succeeded', 'failed'] as const) {
    if ((status[name] ?? 0) < (old[name] ?? 0) && !(name === 'succeeded' && spec?.completionMode === 'Indexed' && spec.completions !== oldSpec?.completions))
      errors.push(invalid(`status.${name}`, status[name] ?? 0, `cannot decrease the ${name} counter`));
  }
  if (old.startTime && spec?.suspend !== true) {
    if (!status.startTime) errors.push(required('status.startTime', 'startTime cannot be removed for unsuspended job'));
    else if (status.startTime !== old.startTime) errors.push(required('status.startTime', 'startTime cannot be modified for unsuspended job'));
  }
  if (isTrue(old, 'Complete') && old.completionTime && status.completionTime && status.completionTime !== old.completionTime)
    errors.push(invalidShown('status.completionTime', shownTime(status.completionTime), 'field is immutable'));
  return errors;
}
