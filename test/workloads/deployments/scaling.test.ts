import { describe, expect, it } from 'vitest';
import type { DeploymentStrategy, ReplicaSet } from '../../../src/model/generated/apps-v1.ts';
import { boundsOf, divide } from '../../../src/workloads/deployments/replica-sets.ts';
import { rollingStep, type Scale, scaleStep } from '../../../src/workloads/deployments/scaling.ts';
import { deployment, replicaSet, scaledFor, template } from './objects.ts';

const rolling = (maxSurge: number | string, maxUnavailable: number | string): DeploymentStrategy => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge, maxUnavailable },
});

const shown = (scales: readonly Scale[]) =>
  Object.fromEntries(scales.map(({ set, replicas }) => [set.metadata!.name, replicas]));

describe('the bounds of a rolling update', () => {
  it.each([
    [10, '25%', '25%', { surge: 3, unavailable: 2 }],
    [1, '0%', '10%', { surge: 0, unavailable: 1 }],
    [3, 0, 0, { surge: 0, unavailable: 1 }],
    [2, 5, 5, { surge: 5, unavailable: 2 }],
    [0, 1, 1, { surge: 1, unavailable: 0 }],
  ])('of %d with %s and %s', (replicas, surge, unavailable, bounds) =>
    expect(boundsOf(deployment({ replicas, strategy: rolling(surge, unavailable) }))).toEqual(bounds),
  );

  it('are none for Recreate', () =>
    expect(boundsOf(deployment({ strategy: { type: 'Recreate' } }))).toEqual({ surge: 0, unavailable: 0 }));
});

describe('a step of a rolling update', () => {
  const step = (spec: object, current: ReplicaSet, ...old: ReplicaSet[]) => {
    const object = deployment({ template: template('v2'), ...spec });
    const sets = divide(object, [current, ...old]);
    expect(sets.current).toBe(current);
    return shown(rollingStep(object, sets, current));
  };
  const current = (replicas: number, available = replicas) =>
    replicaSet('new', { image: 'v2', replicas, available });

  it('grows the current set to the surge first', () =>
    expect(
      step({ replicas: 10, strategy: rolling(3, 0) }, current(0), replicaSet('old', { replicas: 10 })),
    ).toEqual({
      new: 3,
    }));

  it('does not count Pods that are still to come as available', () => {
    const old = replicaSet('old', { replicas: 10 });
    expect(step({ replicas: 10, strategy: rolling(3, 0) }, current(3, 0), old)).toEqual({});
    expect(step({ replicas: 10, strategy: rolling(3, 0) }, current(3, 2), old)).toEqual({ old: 8 });
  });

  it('takes Pods that are not available first, of the oldest set first', () =>
    expect(
      step(
        { replicas: 4, strategy: rolling(0, 1) },
        current(0),
        replicaSet('older', { replicas: 2, available: 1, age: 20 }),
        replicaSet('old', { replicas: 2, available: 2, age: 10 }),
      ),
    ).toEqual({ older: 1 }));

  it('takes available ones of the oldest set as far as the bound permits', () =>
    expect(
      step(
        { replicas: 4, strategy: rolling(0, 3) },
        current(0),
        replicaSet('older', { replicas: 1, age: 20 }),
        replicaSet('old', { replicas: 3, age: 10 }),
      ),
    ).toEqual({ older: 0, old: 1 }));

  it('does not take available ones while too few are', () =>
    expect(
      step(
        { replicas: 4, strategy: rolling(1, 0) },
        current(1, 1),
        replicaSet('old', { replicas: 4, available: 3 }),
      ),
    ).toEqual({ old: 3 }));

  it('does not grow while an old set has more Pods, or has not seen its number', () => {
    const strategy = rolling(2, 2);
    const old = replicaSet('old', { replicas: 3, actual: 4 });
    expect(step({ replicas: 4, strategy }, current(1), old)).toEqual({ new: 2 });
    const behind = { ...old, metadata: { ...old.metadata, generation: 2 } };
    expect(step({ replicas: 4, strategy }, current(1), behind)).toEqual({});
  });

  it('shrinks a current set that is too large', () =>
    expect(step({ replicas: 1 }, current(3))).toEqual({ new: 1 }));
  it('ends', () => expect(step({ replicas: 3 }, current(3), replicaSet('old', { replicas: 0 }))).toEqual({}));
});

describe('a change of the wanted number', () => {
  const step = (replicas: number, ...sets: ReplicaSet[]) => {
    const object = deployment({ replicas, strategy: rolling(2, 2), template: template('v2') });
    return shown(scaleStep(object, divide(object, sets)));
  };

  it('goes to the only set with Pods', () =>
    expect(
      step(5, replicaSet('old', { replicas: 3 }), replicaSet('new', { image: 'v2', replicas: 0 })),
    ).toEqual({
      old: 5,
    }));

  it('goes to the current set if none has Pods, else to the newest', () => {
    const old = [
      replicaSet('a', { replicas: 0, age: 20 }),
      replicaSet('b', { image: 'v0', replicas: 0, age: 10 }),
    ];
    expect(step(5, ...old, replicaSet('new', { image: 'v2', replicas: 0 }))).toEqual({ new: 5 });
    expect(step(5, ...old)).toEqual({ b: 5 });
    expect(step(5)).toEqual({});
  });

  it('takes what is left behind a complete current set', () =>
    expect(
      step(
        5,
        replicaSet('old', { replicas: 2 }),
        replicaSet('new', { image: 'v2', replicas: 5, annotations: scaledFor(5, 7) }),
      ),
    ).toEqual({ old: 0 }));

  it('leaves room for the Pods that others still have', () => {
    const leaving = replicaSet('leaving', { image: 'v0', replicas: 0, actual: 4 });
    expect(step(5, replicaSet('old', { replicas: 2 }), leaving)).toEqual({ old: 3 });
    const total = (scales: Record<string, number>): number =>
      Object.values(scales).reduce((sum, one) => sum + one, 0);
    const sets = ['old', 'new'].map((name) =>
      replicaSet(name, { image: name, replicas: 2, annotations: scaledFor(2, 4) }),
    );
    expect(total(step(8, ...sets))).toBe(10);
    expect(total(step(8, ...sets, leaving))).toBe(6);
  });

  it('is shared by size during a rollout, and the largest gets the rest', () => {
    const sets = (old: number, next: number) => [
      replicaSet('old', { replicas: old, annotations: scaledFor(10, 12), age: 10 }),
      replicaSet('new', { image: 'v2', replicas: next, annotations: scaledFor(10, 12) }),
    ];
    expect(step(20, ...sets(8, 4))).toEqual({ old: 15, new: 7 });
    expect(step(5, ...sets(8, 4))).toEqual({ old: 5, new: 2 });
    expect(step(0, ...sets(8, 4))).toEqual({ old: 0, new: 0 });
  });

  it('prefers the newer of equal sets when it grows, the older when it shrinks', () => {
    const sets = [
      replicaSet('old', { replicas: 3, annotations: scaledFor(4, 6), age: 10 }),
      replicaSet('new', { image: 'v2', replicas: 3, annotations: scaledFor(4, 6) }),
    ];
    expect(step(5, ...sets)).toEqual({ new: 4, old: 3 });
    expect(step(3, ...sets)).toEqual({ old: 2, new: 3 });
  });
});
