import { expect, test } from 'vitest';
import { newCondition } from '../../../src/workloads/jobs/job.ts';
import { expiryOf } from '../../../src/workloads/ttl-after-finished/controller.ts';
import { job, NOW } from '../jobs/jobs.ts';

test('a Job expires after its end, unless it runs, is being deleted or has no time to live', () => {
  const conditions = [newCondition('Failed', 'True', 'R', 'm', NOW)];
  const finished = job({ ttlSecondsAfterFinished: 30 }, { conditions });
  expect(expiryOf(finished)).toBe(NOW + 30_000);
  expect(expiryOf(job({ ttlSecondsAfterFinished: 30 }))).toBeUndefined();
  expect(expiryOf(job({}, { conditions }))).toBeUndefined();
  const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z' };
  expect(expiryOf({ ...finished, metadata })).toBeUndefined();
});
