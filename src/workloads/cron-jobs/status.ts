import type { CronJobStatus } from '../../model/generated/batch-v1.ts';

/**
 * The changes of a status, made to the status that an object has by now: others may have written it since it was read.
 * @param read the status that was decided on
 * @param wanted what has become of it
 */
export function changedStatus(
  read: CronJobStatus,
  wanted: CronJobStatus,
  current: CronJobStatus,
): CronJobStatus {
  const uids = ({ active = [] }: CronJobStatus): Set<string | undefined> =>
    new Set(active.map(({ uid }) => uid));
  const [before, after, present] = [uids(read), uids(wanted), uids(current)];
  const active = [
    ...(current.active ?? []).filter(({ uid }) => after.has(uid) || !before.has(uid)),
    ...(wanted.active ?? []).filter(({ uid }) => !before.has(uid) && !present.has(uid)),
  ];
  const { active: _former, ...rest } = current;
  const { lastScheduleTime, lastSuccessfulTime } = wanted;
  return {
    ...rest,
    ...(active.length > 0 && { active }),
    ...(lastScheduleTime !== undefined && lastScheduleTime !== read.lastScheduleTime && { lastScheduleTime }),
    ...(lastSuccessfulTime !== undefined &&
      lastSuccessfulTime !== read.lastSuccessfulTime && { lastSuccessfulTime }),
  };
}
