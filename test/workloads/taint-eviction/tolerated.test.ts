import { describe, expect, it } from 'vitest';
import { evictingTaints, toleratedTime, tolerates } from '../../../src/workloads/taint-eviction/tolerated.ts';

const sick = { key: 'sick', value: 'v', effect: 'NoExecute' };
const other = { key: 'other', effect: 'NoExecute' };

describe('a toleration', () => {
  it.each([
    [{ operator: 'Exists' }, true],
    [{ key: 'sick', operator: 'Exists' }, true],
    [{ key: 'sick', operator: 'Exists', effect: 'NoSchedule' }, false],
    [{ key: 'sick', value: 'v' }, true],
    [{ key: 'sick', operator: 'Equal', value: 'w' }, false],
    [{ key: 'else', operator: 'Exists' }, false],
    [{ key: 'sick', operator: 'Unknown', value: 'v' }, false],
    [{ value: 'v' }, true],
  ])('%j', (toleration, expected) => {
    expect(tolerates(toleration, sick)).toBe(expected);
  });
});

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
