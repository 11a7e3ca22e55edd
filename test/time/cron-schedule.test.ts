import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseSchedule } from '../../src/time/cron-schedule.ts';

type Row = readonly [schedule: string, after: number, next: number | null];

/** What robfig/cron v3.0.1 computes, as kube-controller-manager uses it. */
const recorded = JSON.parse(
  readFileSync(new URL('../fixtures/cron/next-times.json', import.meta.url), 'utf8'),
) as readonly Row[];

const next = (schedule: string, after: number, zone?: string): number | undefined => {
  const parsed = parseSchedule(schedule, zone);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed.next(after);
};

describe('the next time of a schedule', () => {
  it('is that of kube-controller-manager, also where clocks change', () => {
    for (const [schedule, after, expected] of recorded)
      expect([schedule, after, next(schedule, after) ?? null]).toEqual([schedule, after, expected]);
  });

  it('is in the zone that is given', () => {
    const after = Date.parse('2026-01-01T00:00:00Z');
    expect(next('0 12 * * *', after, 'Asia/Tokyo')).toBe(Date.parse('2026-01-01T03:00:00Z'));
    expect(next('TZ=UTC 0 12 * * *', after, 'Asia/Tokyo')).toBe(Date.parse('2026-01-01T12:00:00Z'));
  });

  it('is none for a day that does not exist', () => {
    expect(next('0 0 31 2 *', Date.parse('2026-01-01T00:00:00Z'))).toBeUndefined();
  });

  it('comes where a day has no midnight', () => {
    const after = Date.parse('2010-04-29T12:00:00Z');
    expect(next('TZ=Africa/Cairo 1 11 30 * *', after)).toBe(Date.parse('2010-04-30T08:01:00Z'));
  });
});
