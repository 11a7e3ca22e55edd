import { findDelimitedField } from '../../codec/protobuf-fields.ts';
import type { Job, JobSpec } from '../../model/generated/batch-v1.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { defineResource } from '../builtin-resource.ts';
import { dropDisabledTemplateFields } from '../core/pods/drop-disabled-fields.ts';
import { podNameWarnings, templateWarnings } from '../core/pods/pod-warnings.ts';
import type { Strategy } from '../strategy.ts';
import { AgeCell, type Cell, formatDuration } from '../table.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { conditionStatus, containerCells, labelSelectorCell } from '../tables/format.ts';
import { WORKLOAD_COLUMNS } from '../tables/workload-columns.ts';
import { copyTemplateLabels, setJobDefaults } from './job-defaults.ts';
import { generateSelector } from './job-selector.ts';
import { validateJobStatusUpdate } from './job-status-validation.ts';
import { validateJob, validateJobUpdate } from './job-validation.ts';

const MANY_COMPLETIONS = 100_000;
const HIGH_PARALLELISM = 10_000;
const UNTRACKABLE =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';

/** Returns the warnings about a job and its pod template. @param field path of the specification */
export function jobSpecWarnings(spec: JobSpec | undefined, field: string, context: RuleContext): string[] {
  const { completionMode, completions = 0, parallelism = 0 } = spec ?? {};
  const isTooMuch =
    completionMode === 'Indexed' && completions > MANY_COMPLETIONS && parallelism > HIGH_PARALLELISM;
  return [
    ...(isTooMuch ? [`${field}: ${UNTRACKABLE}`] : []),
    ...templateWarnings(spec?.template, `${field}.template`, context),
  ];
}

/** The labels of the template are those of a job without its own: kube-apiserver sets them when it reads it. */
function hasNoLabels(message: Uint8Array): boolean {
  const metadata = findDelimitedField(message, 1);
  return metadata === undefined || findDelimitedField(metadata, 11) === undefined;
}

export const jobStrategy: Strategy = {
  metadata: { checks: { update: ['whole', 'change'] } },
  defaulting: {
    byVersion: { v1: setJobDefaults },
    completion: { isIncomplete: hasNoLabels, complete: (object: Job) => copyTemplateLabels(object) },
    // Its labels are a default from the labels of the template, which the selector is added to.
    creationOmitsDefaults: true,
  },
  dropDisabledFields: (object: Job, old: Job | undefined, context) =>
    dropDisabledTemplateFields(object.spec?.template, old?.spec?.template, context),
  prepareForCreate(object: Job) {
    generateSelector(object);
  },
  validate: (object: Job, context) => validateJob(object, context),
  validateUpdate: (object: Job, old: Job, context) => validateJobUpdate(object, old, context),
  validateSubresource: {
    status: (object: Job, old: Job, context) => validateJobStatusUpdate(object, old, context),
  },
  warnings(object: Job, old: Job | undefined, context) {
    if (old === undefined)
      return [...podNameWarnings(object), ...jobSpecWarnings(object.spec, 'spec', context)];
    return object.metadata?.generation === old.metadata?.generation
      ? []
      : jobSpecWarnings(object.spec, 'spec', context);
  },
  managesGeneration: true,
  deletion: {
    defaultPropagation: 'Orphan',
    orphanWarning:
      'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  },
};

/** Returns the state of a job: the first that applies. */
function jobStatus({ metadata, status }: Job): string {
  const has = (type: string) => conditionStatus(status?.conditions, type) === 'True';
  if (has('Complete') || has('Failed')) return has('Complete') ? 'Complete' : 'Failed';
  if (metadata?.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget'].find(has) ?? 'Running';
}

function jobCompletions({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec?.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration({ status }: Job): Cell {
  const { startTime, completionTime } = status ?? {};
  if (!startTime) return '';
  return completionTime
    ? formatDuration(Date.parse(completionTime) - Date.parse(startTime))
    : new AgeCell(startTime);
}

export const jobs = defineResource({
  group: 'batch',
  versions: ['v1'],
  resource: 'jobs',
  kind: 'Job',
  categories: ['all'],
  subresources: ['status'],
  strategy: jobStrategy,
  fieldSelectors: { 'status.successful': (object) => String((object as Job).status?.succeeded ?? 0) },
  table: table<Job>(
    [
      NAME,
      column('Status', 'Status of the job.'),
      column('Completions', 'Number of succeeded pods, of the required ones.'),
      column('Duration', 'Time the job took, or has taken so far.'),
      AGE,
      ...WORKLOAD_COLUMNS,
    ],
    (object) => [
      nameOf(object),
      jobStatus(object),
      jobCompletions(object),
      jobDuration(object),
      ageOf(object),
      ...containerCells(object.spec?.template?.spec),
      labelSelectorCell(object.spec?.selector),
    ],
  ),
});
