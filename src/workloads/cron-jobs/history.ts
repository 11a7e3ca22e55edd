import type { CronJob, Job } from '../../model/generated/batch-v1.ts';
import { isFinishedAs } from '../jobs/job.ts';

/** The finished Jobs that are too many: of those that have completed and of those that have failed the oldest ones. */
export function surplusJobs({ spec = {} }: CronJob, jobs: readonly Job[]): readonly Job[] {
  return [
    ...oldest(jobs, 'Complete', spec.successfulJobsHistoryLimit),
    ...oldest(jobs, 'Failed', spec.failedJobsHistoryLimit),
  ];
}

function oldest(
  jobs: readonly Job[],
  outcome: 'Complete' | 'Failed',
  limit: number | undefined,
): readonly Job[] {
  if (limit === undefined) return [];
  const finished = jobs.filter((job) => isFinishedAs(job, outcome)).sort(byStart);
  return finished.slice(0, Math.max(0, finished.length - limit));
}

/** Jobs that have not started come last; equal times are ordered by name. */
function byStart(one: Job, other: Job): number {
  const [mine = '', theirs = ''] = [one.status?.startTime, other.status?.startTime];
  if (mine === theirs) return (one.metadata?.name ?? '') < (other.metadata?.name ?? '') ? -1 : 1;
  if (mine === '' || theirs === '') return mine === '' ? 1 : -1;
  return mine < theirs ? -1 : 1;
}
