import type { CronJob } from '../../model/generated/batch-v1.ts';
import type { Life } from '../../model/life.ts';
import { maximumLengthText } from '../../model/name-syntax.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import {
  type FieldError,
  invalid,
  invalidFormatted,
  notSupportedFormatted,
  required,
  tooLong,
} from '../../status/field-error.ts';
import { scheduleError } from '../../time/cron-schedule.ts';
import { defineResource } from '../builtin-resource.ts';
import { dropDisabledTemplateFields } from '../core/pods/drop-disabled-fields.ts';
import { type PodValidationOptions, withOldTemplate } from '../core/pods/pod-validation-options.ts';
import { podNameWarnings } from '../core/pods/pod-warnings.ts';
import type { Strategy } from '../strategy.ts';
import { AgeCell } from '../table.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { containerCells, enumOrNone, labelSelectorCell, orNone } from '../tables/format.ts';
import { WORKLOAD_COLUMNS } from '../tables/workload-columns.ts';
import { invalidTexts, validateNonNegative, validateOneOf } from '../validation/fields.ts';
import { formatLabelSelector } from '../validation/format-value.ts';
import { validateBuiltinFinalizers } from '../validation/object-meta.ts';
import { jobSpecWarnings } from './job.ts';
import { setFailurePolicyDefaults, setJobTemplateDefaults } from './job-defaults.ts';
import { validateJobSpec } from './job-validation.ts';
import { timeZoneErrors } from './time-zone.ts';

/** Maximum length of a cron job's name: job names append `-` and ten digits for the minute. */
const MAXIMUM_NAME_LENGTH = 52;

/** The releases that complete the failure policy of the jobs, and not only that of a job. */
const COMPLETES_POLICIES: Life = { since: '1.34' };

function setDefaults(object: CronJob, { has }: RuleContext): void {
  object.spec ??= {};
  const { spec } = object;
  spec.concurrencyPolicy ||= 'Allow';
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
  spec.jobTemplate ??= {};
  spec.jobTemplate.spec ??= {};
  setJobTemplateDefaults(spec.jobTemplate.spec);
  if (has(COMPLETES_POLICIES)) setFailurePolicyDefaults(spec.jobTemplate.spec);
}

function validateSpec(
  { spec = {} }: CronJob,
  context: PodValidationOptions,
  { allowScheduleTimeZone = false, isTimeZoneUnchanged = false } = {},
): FieldError[] {
  return [
    ...validateSchedule(spec.schedule ?? '', spec.timeZone, allowScheduleTimeZone),
    ...validateNonNegative(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds'),
    ...(isTimeZoneUnchanged || spec.timeZone === undefined
      ? []
      : invalidTexts('spec.timeZone', spec.timeZone, timeZoneErrors(spec.timeZone))),
    ...(spec.concurrencyPolicy
      ? validateOneOf(spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace'], 'spec.concurrencyPolicy')
      : [required('spec.concurrencyPolicy')]),
    ...validateJobTemplate(spec.jobTemplate?.spec ?? {}, context),
    ...validateNonNegative(spec.successfulJobsHistoryLimit, 'spec.successfulJobsHistoryLimit'),
    ...validateNonNegative(spec.failedJobsHistoryLimit, 'spec.failedJobsHistoryLimit'),
  ];
}

/** Longer schedules are invalid: a list of all values of each field is far shorter. */
const MAXIMUM_SCHEDULE = 4096;

function validateSchedule(
  schedule: string,
  timeZone: string | undefined,
  allowScheduleTimeZone: boolean,
): FieldError[] {
  if (schedule === '') return [required('spec.schedule')];
  if (schedule.length > MAXIMUM_SCHEDULE) return [tooLong('spec.schedule', MAXIMUM_SCHEDULE)];
  const error = scheduleError(schedule);
  const errors = error === undefined ? [] : [invalid('spec.schedule', schedule, error)];
  if (!schedule.includes('TZ')) return errors;
  if (!allowScheduleTimeZone)
    errors.push(
      invalid('spec.schedule', schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'),
    );
  else if (timeZone !== undefined)
    errors.push(
      invalid('spec.schedule', schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'),
    );
  return errors;
}

function validateJobTemplate(
  spec: NonNullable<NonNullable<NonNullable<CronJob['spec']>['jobTemplate']>['spec']>,
  context: PodValidationOptions,
): FieldError[] {
  const field = 'spec.jobTemplate.spec';
  return [
    ...validateJobSpec(spec, field, context),
    ...(spec.selector === undefined
      ? []
      : [
          invalidFormatted(
            `${field}.selector`,
            formatLabelSelector(spec.selector, context),
            '`selector` will be auto-generated',
          ),
        ]),
    ...(spec.manualSelector === true
      ? [notSupportedFormatted(`${field}.manualSelector`, 'true', ['nil', 'false'])]
      : []),
  ];
}

const templateOf = (object: CronJob | undefined) => object?.spec?.jobTemplate?.spec?.template;

export const createCronJobStrategy = (context: RuleContext): Strategy => ({
  metadata: {
    // A status update does not validate them.
    allowsUnqualifiedFinalizers: true,
    checks: { through: { status: [] } },
  },
  defaulting: { byVersion: { v1: (object) => setDefaults(object, context) } },
  dropDisabledFields: (object: CronJob, old: CronJob | undefined, context) =>
    dropDisabledTemplateFields(templateOf(object), templateOf(old), context),
  validate(object: CronJob, context) {
    const { name = '' } = object.metadata ?? {};
    return [
      ...validateSpec(object, context),
      ...validateBuiltinFinalizers(object.metadata?.finalizers, 'metadata.finalizers'),
      ...(Buffer.byteLength(name) > MAXIMUM_NAME_LENGTH
        ? [invalid('metadata.name', name, maximumLengthText(MAXIMUM_NAME_LENGTH))]
        : []),
    ];
  },
  validateUpdate: (object: CronJob, old: CronJob, context) => [
    ...validateSpec(object, withOldTemplate(context, templateOf(old)), {
      allowScheduleTimeZone: old.spec?.schedule?.includes('TZ') ?? false,
      // An unchanged zone is accepted even if this time zone database does not contain it.
      isTimeZoneUnchanged: object.spec?.timeZone === old.spec?.timeZone,
    }),
    ...validateBuiltinFinalizers(object.metadata?.finalizers, 'metadata.finalizers'),
  ],
  warnings(object: CronJob, old: CronJob | undefined, context) {
    const { jobTemplate, schedule = '' } = object.spec ?? {};
    const isNew = old === undefined || object.metadata?.generation !== old.metadata?.generation;
    return [
      ...(old === undefined ? podNameWarnings(object) : []),
      ...(isNew ? jobSpecWarnings(jobTemplate?.spec, 'spec.jobTemplate.spec', context) : []),
      ...(schedule.includes('TZ')
        ? [
            'CRON_TZ or TZ used in spec.schedule is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
          ]
        : []),
    ];
  },
  managesGeneration: true,
});

export const cronJobs = defineResource({
  group: 'batch',
  versions: ['v1'],
  resource: 'cronjobs',
  kind: 'CronJob',
  shortNames: ['cj'],
  categories: ['all'],
  subresources: ['status'],
  strategy: createCronJobStrategy,
  table: table<CronJob>(
    [
      NAME,
      column('Schedule', 'Schedule in cron format.'),
      column('Timezone', 'Time zone of the schedule.'),
      column('Suspend', 'Whether new jobs are suspended.', 'boolean'),
      column('Active', 'Number of running jobs.', 'integer'),
      column('Last Schedule', 'Time since the last job was scheduled.'),
      AGE,
      ...WORKLOAD_COLUMNS,
    ],
    (object) => {
      const { spec, status } = object;
      return [
        nameOf(object),
        spec?.schedule ?? '',
        orNone(spec?.timeZone),
        enumOrNone(spec?.suspend),
        status?.active?.length ?? 0,
        status?.lastScheduleTime ? new AgeCell(status.lastScheduleTime) : '<none>',
        ageOf(object),
        ...containerCells(spec?.jobTemplate?.spec?.template?.spec),
        labelSelectorCell(spec?.jobTemplate?.spec?.selector),
      ];
    },
  ),
});
