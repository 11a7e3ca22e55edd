import type { CronJob } from '../../model/generated/batch-v1.ts';
import { timeToMilliseconds } from '../../model/time.ts';
import { type CronSchedule, parseSchedule } from '../../time/cron-schedule.ts';

/** Added to the wait for the next time: clocks of machines differ. */
const DELTA = 100;

/** The schedule of a CronJob; why it has none, if its text is wrong. */
export const scheduleOf = ({ spec = {} }: CronJob): CronSchedule | string =>
  parseSchedule(spec.schedule ?? '', spec.timeZone);

/** The time for which a CronJob is to start a Job. */
export interface DueTime {
  /** Milliseconds since the epoch; undefined if no time has passed. */
  readonly time: number | undefined;
  /** How many times have passed, about; 0 or 1 exactly. */
  readonly missed: number;
}

/**
 * The last time that has passed since the last start, or since the creation.
 * @param hasDeadline whether times before `startingDeadlineSeconds` do not count
 * @throws RangeError for a schedule whose times are less than a second apart, or never come
 */
export function dueTime(cronJob: CronJob, schedule: CronSchedule, now: number, hasDeadline = true): DueTime {
  const first = schedule.next(earliest(cronJob, now, hasDeadline));
  if (first === undefined) throw new RangeError('the schedule names no time in the next five years');
  if (now < first) return { time: undefined, missed: 0 };
  const second = schedule.next(first);
  if (second === undefined || now < second) return { time: first, missed: 1 };
  const distance = Math.round((second - first) / 1000) * 1000;
  if (distance < 1000) throw new RangeError('time difference between two schedules is less than 1 second');
  const missed = Math.floor((now - first) / distance) + 1;
  // Most schedules have equal distances: the search begins near the end.
  return { time: lastBefore(schedule, first + (missed - 2) * distance, now), missed };
}

/** The last time up to `now`; undefined if there is none after `from`. */
function lastBefore(schedule: CronSchedule, from: number, now: number): number | undefined {
  let last: number | undefined;
  for (let time = schedule.next(from); time !== undefined && time <= now; time = schedule.next(time))
    last = time;
  return last;
}

/** No time before this one counts. */
function earliest({ metadata, spec, status }: CronJob, now: number, hasDeadline: boolean): number {
  const start = timeToMilliseconds(status?.lastScheduleTime ?? metadata?.creationTimestamp ?? '');
  const { startingDeadlineSeconds } = spec ?? {};
  if (!hasDeadline || startingDeadlineSeconds === undefined) return start;
  return Math.max(start, now - startingDeadlineSeconds * 1000);
}

/** Milliseconds until the next time of a CronJob; undefined if none comes. */
export function untilNext(cronJob: CronJob, schedule: CronSchedule, now: number): number | undefined {
  const next = schedule.next(lastTime(cronJob, schedule, now));
  return next === undefined ? undefined : next + DELTA - now;
}

/** The time after which the next one is looked for. */
function lastTime(cronJob: CronJob, schedule: CronSchedule, now: number): number {
  try {
    const due = dueTime(cronJob, schedule, now, false);
    return due.time ?? (due.missed > 0 ? now : earliest(cronJob, now, false));
  } catch {
    return now;
  }
}
