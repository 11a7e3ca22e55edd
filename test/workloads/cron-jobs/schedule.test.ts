import { describe, expect, it } from 'vitest';
import type { CronJob, CronJobSpec } from '../../../src/model/generated/batch-v1.ts';
import { formatTime } from '../../../src/model/time.ts';
import { CRON_JOBS } from '../../../src/reconcile/resources.ts';
import type { CronSchedule } from '../../../src/time/cron-schedule.ts';
import { surplusJobs } from '../../../src/workloads/cron-jobs/history.ts';
import { jobOf } from '../../../src/workloads/cron-jobs/job-of.ts';
import { dueTime, scheduleOf, untilNext } from '../../../src/workloads/cron-jobs/schedule.ts';
import { newCondition } from '../../../src/workloads/jobs/job.ts';
import { job } from '../jobs/jobs.ts';

const at = (text: string): number => Date.parse(text);
const NOON = at('2026-05-04T12:00:00Z');

function cronJob(spec: CronJobSpec, last: string): CronJob {
  return {
    metadata: { name: 'tick', namespace: 'ns', uid: 'u', creationTimestamp: formatTime(NOON) },
    spec: { schedule: '*/10 * * * *', ...spec },
    status: { lastScheduleTime: last },
  };
}
const due = (one: CronJob, now: number) => dueTime(one, scheduleOf(one) as CronSchedule, now);

describe('the due time of a CronJob', () => {
  it('is the last one that has passed since the last start', () => {
    const one = cronJob({}, '2026-05-04T12:00:00Z');
    expect(due(one, at('2026-05-04T12:09:59Z'))).toEqual({ time: undefined, missed: 0 });
    expect(due(one, at('2026-05-04T12:10:00Z'))).toEqual({ time: at('2026-05-04T12:10:00Z'), missed: 1 });
    expect(due(one, at('2026-05-04T13:05:00Z'))).toEqual({ time: at('2026-05-04T13:00:00Z'), missed: 6 });
    expect(due(one, at('2026-05-06T13:05:00Z')).missed).toBeGreaterThan(100);
  });

  it('is within the deadline', () => {
    const one = cronJob({ startingDeadlineSeconds: 60 }, '2026-05-04T12:00:00Z');
    expect(due(one, at('2026-05-04T13:05:00Z')).time).toBeUndefined();
    expect(due(one, at('2026-05-04T13:10:30Z')).time).toBe(at('2026-05-04T13:10:00Z'));
  });

  it('is refused for a schedule that names no time', () => {
    const one = cronJob({ schedule: '0 0 31 2 *' }, '2026-05-04T12:00:00Z');
    expect(() => due(one, NOON)).toThrow(RangeError);
  });

  it('comes next after the last one that has passed', () => {
    const one = cronJob({ timeZone: 'Asia/Kolkata', schedule: '0 0 * * *' }, '2026-05-04T12:00:00Z');
    const wait = untilNext(one, scheduleOf(one) as CronSchedule, NOON);
    expect(NOON + wait! - 100).toBe(at('2026-05-04T18:30:00Z'));
  });
});

describe('the Job of a CronJob', () => {
  it('is named after the minute, and says the time in the zone', () => {
    const one = cronJob(
      { timeZone: 'Asia/Kolkata', jobTemplate: { metadata: { labels: { a: 'b' } } } },
      '2026-05-04T12:00:00Z',
    );
    expect(jobOf({ resource: CRON_JOBS, object: one }, NOON).metadata).toMatchObject({
      name: `tick-${NOON / 60_000}`,
      labels: { a: 'b' },
      annotations: { 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-05-04T17:30:00+05:30' },
      ownerReferences: [{ kind: 'CronJob', uid: 'u', controller: true }],
    });
  });

  it('goes when there are more finished ones than the limit, the oldest first', () => {
    const finished = (name: string, outcome: 'Complete' | 'Failed', startTime?: string) => ({
      ...job(
        {},
        { ...(startTime && { startTime }), conditions: [newCondition(outcome, 'True', '', '', NOON)] },
      ),
      metadata: { name },
    });
    const jobs = [
      finished('c2', 'Complete', '2026-05-02T00:00:00Z'),
      finished('c1', 'Complete', '2026-05-01T00:00:00Z'),
      finished('c0', 'Complete'),
      finished('f1', 'Failed', '2026-05-01T00:00:00Z'),
      { ...job(), metadata: { name: 'running' } },
    ];
    const names = (spec: CronJobSpec): (string | undefined)[] =>
      surplusJobs({ spec }, jobs).map(({ metadata }) => metadata?.name);
    expect(names({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 1 })).toEqual(['c1', 'c2']);
    expect(names({ successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 0 })).toEqual(['f1']);
    expect(names({})).toEqual([]);
  });
});
