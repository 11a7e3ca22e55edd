import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CronJobStatus } from '../../../src/model/generated/batch-v1.ts';
import { changedStatus } from '../../../src/workloads/cron-jobs/status.ts';

const status = (uids: readonly string[], lastScheduleTime?: string): CronJobStatus => ({
  ...(uids.length > 0 && { active: uids.map((uid) => ({ uid, name: uid })) }),
  ...(lastScheduleTime !== undefined && { lastScheduleTime }),
});

describe('changes of the status of a CronJob', () => {
  it('are made to what others have written meanwhile', () => {
    const written = { ...status(['a', 'other'], 'earlier'), lastSuccessfulTime: 'success' };
    expect(changedStatus(status(['a'], 'before'), status(['b'], 'now'), written)).toEqual({
      ...status(['other', 'b'], 'now'),
      lastSuccessfulTime: 'success',
    });
    expect(changedStatus(status(['a'], 'before'), status([], 'before'), status(['a'], 'earlier'))).toEqual(
      status([], 'earlier'),
    );
  });

  it('are the wanted status if nobody has written', () => {
    const any = fc
      .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'))
      .map((uids) => status([...uids].sort(), uids.join()));
    fc.assert(
      fc.property(any, any, (read, wanted) => {
        const { active = [], ...rest } = changedStatus(read, wanted, read);
        const byUid = (one: { uid?: string }, other: { uid?: string }): number =>
          one.uid! < other.uid! ? -1 : 1;
        expect({ ...rest, ...(active.length > 0 && { active: [...active].sort(byUid) }) }).toEqual(wanted);
      }),
    );
  });
});
