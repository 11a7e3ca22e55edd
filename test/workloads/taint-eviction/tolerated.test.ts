import { describe, expect, it } from 'vitest';
import { evictingTaints, toleratedTime } from '../../../src/workloads/taint-eviction/tolerated.ts';

const sick = { key: 'sick', value: 'v', effect: 'NoExecute' };
const other = { key: 'other', effect: 'NoExecute' };

describe('the time that a Pod tolerates', () => {
  const forSeconds = (key: string, tolerationSeconds?: number) => ({
    key,
    operator: 'Exists',
    tolerationSeconds,
  });

  it('is the least of all taints', () => {
    expect(toleratedTime([sick, other], [forSeconds('sick', 30), forSeconds('other', 10)])).toBe(10_000);
    expect(toleratedTime([sick, other], [forSeconds('sick'), forSeconds('other', 10)])).toBe(10_000);
    expect(toleratedTime([sick], [forSeconds('sick')])).toBe(Number.POSITIVE_INFINITY);
    expect(toleratedTime([sick], [forSeconds('sick', -5)])).toBe(0);
  });

  it('is none if a taint is not tolerated', () => {
    expect(toleratedTime([sick, other], [forSeconds('sick')])).toBe(0);
    expect(toleratedTime([sick])).toBe(0);
  });
});

it('only some taints evict', () => {
  expect(evictingTaints([sick, { key: 'a', effect: 'NoSchedule' }])).toEqual([sick]);
});
