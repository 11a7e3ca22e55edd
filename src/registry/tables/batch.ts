import type { CronJob, Job } from '../../model/generated/batch-v1.ts';
import { AgeCell, type Cell, formatDuration } from '../table.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from './define.ts';
import { conditionStatus, containerCells, enumOrNone, formatLabelSelector, orNone } from './format.ts';
import { CONTAINERS, IMAGES, SELECTOR } from './workloads.ts';

/** Returns the state of a job: the first that applies. */
function jobStatus({ metadata, status }: Job): string {
  const has = (type: string) => conditionStatus(status?.conditions, type) === 'True';
  if (has('Complete') || has('Failed')) return has('Complete') ? 'Complete' : 'Failed';
  if (metadata?.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(has) ?? 'Running';
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

export const jobs = table<Job>(
  [
    NAME,
    column('Status', 'Status of the job.'),
    column('Completions', 'Number of succeeded pods, of the required ones.'),
    column('Duration', 'Time the job took, or has taken so far.'),
    AGE,
    CONTAINERS,
    IMAGES,
    SELECTOR,
  ],
  (object) => [
    nameOf(object),
    jobStatus(object),
    jobCompletions(object),
    jobDuration(object),
    ageOf(object),
    ...containerCells(object.spec?.template?.spec),
    formatLabelSelector(object.spec?.selector),
  ],
);

export const cronJobs = table<CronJob>(
  [
    NAME,
    column('Schedule', 'Schedule in cron format.'),
    column('Timezone', 'Time zone of the schedule.'),
    column('Suspend', 'Whether new jobs are suspended.', 'boolean'),
    column('Active', 'Number of running jobs.', 'integer'),
    column('Last Schedule', 'Time since the last job was scheduled.'),
    AGE,
    CONTAINERS,
    IMAGES,
    SELECTOR,
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
      formatLabelSelector(spec?.jobTemplate?.spec?.selector),
    ];
  },
);
