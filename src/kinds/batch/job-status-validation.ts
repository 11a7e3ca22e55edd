import type { Job, JobStatus } from '../../model/generated/batch-v1.ts';
import type { Life } from '../../model/life.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { duplicate, type FieldError, invalid, invalidFormatted, required } from '../../status/field-error.ts';
import { checkEach, onceInTurns } from '../../steps/replay.ts';
import { findDuplicates } from '../validation/duplicates.ts';
import { appendAll, IMMUTABLE, validateNonNegative } from '../validation/fields.ts';
import { formatTime } from '../validation/format-value.ts';
import { formatGo } from '../validation/go-value.ts';
import { countingIndexes, findingOverlap } from './index-list.ts';

const CONDITIONS = 'status.conditions';

const hasCondition = ({ status }: Job, type: string, value: 'True' | 'False'): boolean =>
  (status?.conditions ?? []).some((condition) => condition.type === type && condition.status === value);
const isTrue = (job: Job, type: string): boolean => hasCondition(job, type, 'True');
const isComplete = (job: Job): boolean => isTrue(job, 'Complete');
const isFailed = (job: Job): boolean => isTrue(job, 'Failed');
const isFinished = (job: Job): boolean => isComplete(job) || isFailed(job);

/** Parts that a status update changes. A rule applies only when a part that it covers changes. */
interface Changes {
  member(name: keyof JobStatus): boolean;
  condition(type: string): boolean;
  readonly finished: boolean;
}

function changesOf(job: Job, old: Job): Changes {
  const text = (value: unknown): string =>
    JSON.stringify(value ?? null, (_key, part) => (typeof part === 'bigint' ? String(part) : part));
  const withoutZero = (value: unknown): unknown => (value === 0 || value === '' ? undefined : value);
  return {
    member(name) {
      // In Go these members are not pointers, so zero equals absent.
      const isValue = name === 'active' || name === 'completedIndexes';
      const [now, then] = [job.status?.[name], old.status?.[name]];
      return isValue ? withoutZero(now) !== withoutZero(then) : text(now) !== text(then);
    },
    condition: (type) => isTrue(job, type) !== isTrue(old, type),
    finished: isFinished(job) !== isFinished(old),
  };
}

/** The releases whose texts name the field that they are about. */
const NAMES_FIELD: Life = { until: '1.34' };

/** Validates a status update: it must be consistent and must not revert terminal conditions. */
export function validateJobStatusUpdate(job: Job, old: Job, context: RuleContext): FieldError[] {
  const changes = changesOf(job, old);
  return [
    ...validateCounts(job.status ?? {}),
    ...validateConditions(job, changes),
    ...validateTimes(job, changes, context),
    ...validateFinished(job, changes, context),
    ...validateIndexes(job, changes),
    ...validateReady(job, changes),
    ...validateSuccess(job),
    ...validateTransition(job, old, changes, context),
  ];
}

function validateCounts(status: JobStatus): FieldError[] {
  const errors = (['active', 'succeeded', 'failed', 'ready', 'terminating'] as const).flatMap((name) =>
    validateNonNegative(status[name], `status.${name}`),
  );
  // A pod must not be in both lists.
  const seen = new Set<unknown>();
  for (const name of ['succeeded', 'failed'] as const) {
    const uids = status.uncountedTerminatedPods?.[name] ?? [];
    const repeated = findDuplicates(uids, (uid) => uid, seen);
    const found = checkEach(uids, { place: name }, (uid, index) => {
      const field = `status.uncountedTerminatedPods.${name}[${index}]`;
      if (uid === '') return [invalid(field, uid, 'must not be empty')];
      return repeated.has(index) ? [duplicate(field, uid)] : [];
    });
    appendAll(errors, found);
  }
  return errors;
}

function validateConditions(job: Job, { condition, member }: Changes): FieldError[] {
  const rejectIf = (violated: boolean, text: string): FieldError[] =>
    violated ? [invalidFormatted(CONDITIONS, '', text)] : [];
  const completeChanges = condition('Complete');
  const failedChanges = condition('Failed');
  return [
    ...rejectIf(
      (completeChanges || failedChanges) && isComplete(job) && isFailed(job),
      'cannot set Complete=True and Failed=true conditions',
    ),
    ...rejectIf(
      (completeChanges || condition('FailureTarget')) && isComplete(job) && isTrue(job, 'FailureTarget'),
      'cannot set Complete=True and FailureTarget=true conditions',
    ),
    ...rejectIf(
      (failedChanges || member('failedIndexes')) && isFailed(job) && !isTrue(job, 'FailureTarget'),
      'cannot set Failed=True condition without the FailureTarget=true condition',
    ),
    ...rejectIf(
      (completeChanges || condition('SuccessCriteriaMet')) &&
        isComplete(job) &&
        !isTrue(job, 'SuccessCriteriaMet'),
      'cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
    ),
  ];
}

function validateTimes(job: Job, { condition, member }: Changes, context: RuleContext): FieldError[] {
  const { startTime, completionTime } = job.status ?? {};
  const field = 'status.completionTime';
  const completes = condition('Complete') || member('completionTime');
  const errors: FieldError[] = [];
  if (completes && completionTime && !isComplete(job))
    errors.push(
      invalidFormatted(
        field,
        formatTime(completionTime, context),
        'cannot set completionTime when there is no Complete=True condition',
      ),
    );
  if (completes && !completionTime && isComplete(job))
    errors.push(required(field, 'completionTime is required for Complete jobs'));
  if (
    (member('startTime') || member('completionTime')) &&
    startTime &&
    completionTime &&
    completionTime < startTime
  )
    errors.push(
      invalidFormatted(
        field,
        formatTime(completionTime, context),
        context.has(NAMES_FIELD)
          ? 'completionTime cannot be set before startTime'
          : 'must be equal to or after `startTime`',
      ),
    );
  return errors;
}

function validateFinished(job: Job, { finished, member }: Changes, { has }: RuleContext): FieldError[] {
  if (!isFinished(job)) return [];
  const { active = 0, terminating = 0, startTime, uncountedTerminatedPods: uncounted } = job.status ?? {};
  const errors: FieldError[] = [];
  if ((finished || member('active')) && active > 0)
    errors.push(invalid('status.active', active, 'active>0 is invalid for finished job'));
  const neverStarts = job.spec?.suspend === true && job.spec.completions === 0;
  if ((finished || member('startTime')) && !neverStarts && !startTime)
    errors.push(required('status.startTime', 'startTime is required for finished job'));
  const uncountedTotal = (uncounted?.succeeded?.length ?? 0) + (uncounted?.failed?.length ?? 0);
  if ((finished || member('uncountedTerminatedPods')) && uncountedTotal > 0)
    errors.push(
      invalidFormatted(
        'status.uncountedTerminatedPods',
        formatGo('batch.UncountedTerminatedPods', uncounted),
        has(NAMES_FIELD)
          ? 'uncountedTerminatedPods needs to be empty for finished job'
          : 'must be empty for finished job',
      ),
    );
  if ((finished || member('terminating')) && terminating > 0)
    errors.push(invalid('status.terminating', terminating, 'terminating>0 is invalid for finished job'));
  return errors;
}

/** Cost of reading a short list of indexes. */
const INDEXES_COST = 16;

function validateIndexes({ spec = {}, status = {} }: Job, { member }: Changes): FieldError[] {
  const { completions, backoffLimitPerIndex, completionMode } = spec;
  const { completedIndexes: completed = '', failedIndexes: failed } = status;
  const errors: FieldError[] = [];
  const validate = (text: string, name: 'completedIndexes' | 'failedIndexes'): void => {
    const { error } = onceInTurns(status, { place: name, cost: INDEXES_COST }, () =>
      countingIndexes(text, completions ?? 0),
    );
    if (error !== undefined) errors.push(invalid(`status.${name}`, text, `error parsing ${name}: ${error}`));
  };
  const completedChanges = member('completedIndexes');
  const failedChanges = member('failedIndexes');
  if (completedChanges && completions !== undefined) validate(completed, 'completedIndexes');
  if (
    failedChanges &&
    completions !== undefined &&
    backoffLimitPerIndex !== undefined &&
    failed !== undefined
  )
    validate(failed, 'failedIndexes');
  if (completedChanges && completed !== '' && completionMode !== 'Indexed')
    errors.push(
      invalid(
        'status.completedIndexes',
        completed,
        'cannot set non-empty completedIndexes when non-indexed completion mode',
      ),
    );
  if (failedChanges && backoffLimitPerIndex === undefined && failed !== undefined)
    errors.push(
      invalid(
        'status.failedIndexes',
        failed,
        'cannot set non-null failedIndexes when backoffLimitPerIndex is null',
      ),
    );
  if ((completedChanges || failedChanges) && completions !== undefined && failed !== undefined) {
    const overlap = onceInTurns(status, { place: 'overlap', cost: INDEXES_COST }, () =>
      findingOverlap(completed, failed, completions),
    );
    if (overlap !== undefined)
      errors.push(
        invalid(
          'status.failedIndexes',
          failed,
          `failedIndexes and completedIndexes overlap at index: ${overlap}`,
        ),
      );
  }
  return errors;
}

function validateReady({ status = {} }: Job, { member }: Changes): FieldError[] {
  const { ready, active = 0 } = status;
  return (member('ready') || member('active')) && ready !== undefined && ready > active
    ? [invalid('status.ready', ready, 'cannot set more ready pods than active')]
    : [];
}

/** Validates `SuccessCriteriaMet`, which excludes the failure conditions. */
function validateSuccess(job: Job): FieldError[] {
  const isCriteriaMet = isTrue(job, 'SuccessCriteriaMet');
  const errors: FieldError[] = [];
  if (isCriteriaMet && isFailed(job))
    errors.push(
      invalidFormatted(CONDITIONS, '', 'cannot set SuccessCriteriaMet=True and Failed=true conditions'),
    );
  if (isCriteriaMet && isTrue(job, 'FailureTarget'))
    errors.push(
      invalidFormatted(
        CONDITIONS,
        '',
        'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
      ),
    );
  if (job.spec?.successPolicy !== undefined && !isCriteriaMet && isComplete(job))
    errors.push(
      invalidFormatted(
        CONDITIONS,
        '',
        'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
      ),
    );
  return errors;
}

/** The releases that report a start time that changes as one that is missing. */
const REQUIRES_START: Life = { until: '1.36' };

function validateTransition(job: Job, old: Job, { member }: Changes, context: RuleContext): FieldError[] {
  const { spec = {}, status = {} } = job;
  const { status: oldStatus = {} } = old;
  const errors: FieldError[] = [];
  for (const type of ['Failed', 'Complete', 'FailureTarget']) {
    if (isTrue(old, type) && !isTrue(job, type))
      errors.push(invalidFormatted(CONDITIONS, '', `cannot disable the terminal ${type}=True condition`));
  }
  // An indexed job can shrink when completions equal parallelism.
  const canShrink = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  for (const name of ['failed', 'succeeded'] as const) {
    if ((status[name] ?? 0) < (oldStatus[name] ?? 0) && !(name === 'succeeded' && canShrink))
      errors.push(invalid(`status.${name}`, status[name] ?? 0, `cannot decrease the ${name} counter`));
  }
  if (status.completionTime && oldStatus.completionTime && status.completionTime !== oldStatus.completionTime)
    errors.push(
      invalidFormatted(
        'status.completionTime',
        formatTime(status.completionTime, context),
        context.has(NAMES_FIELD) ? 'completionTime cannot be mutated' : IMMUTABLE,
      ),
    );
  // A status update reports that a job continues after its spec said so.
  const continues = isTrue(old, 'Suspended') && hasCondition(job, 'Suspended', 'False');
  if (oldStatus.startTime && member('startTime') && spec.suspend !== true && !continues)
    errors.push(
      context.has(REQUIRES_START)
        ? required('status.startTime', 'startTime cannot be removed for unsuspended job')
        : invalidFormatted(
            'status.startTime',
            formatTime(status.startTime, context),
            'field is immutable for unsuspended job once set',
          ),
    );
  if (isTrue(old, 'SuccessCriteriaMet') && !isTrue(job, 'SuccessCriteriaMet'))
    errors.push(invalidFormatted(CONDITIONS, '', 'cannot disable the SuccessCriteriaMet=True condition'));
  if (isComplete(old) && !isTrue(old, 'SuccessCriteriaMet') && isTrue(job, 'SuccessCriteriaMet'))
    errors.push(
      invalidFormatted(
        CONDITIONS,
        '',
        'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions',
      ),
    );
  return errors;
}
