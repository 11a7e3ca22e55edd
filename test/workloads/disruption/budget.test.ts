import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PodDisruptionBudget, PodDisruptionBudgetSpec } from '../../../src/model/generated/policy-v1.ts';
import { formatTime } from '../../../src/model/time.ts';
import { failedStatus } from '../../../src/workloads/disruption/allowance.ts';
import { budgetStatus, disrupted, expected } from '../../../src/workloads/disruption/budget.ts';
import { untilStale } from '../../../src/workloads/disruption/stale-targets.ts';
import { NOW, pod } from '../../reconcile/pods/pods.ts';

const budget = (
  spec: PodDisruptionBudgetSpec,
  status: PodDisruptionBudget['status'] & object = {},
): PodDisruptionBudget => ({
  metadata: { namespace: 'ns', name: 'web', uid: 'web', generation: 1 },
  spec: { selector: {}, ...spec },
  status,
});

const ago = (seconds: number): string => formatTime(NOW - seconds * 1000);

describe('the expected Pods of a budget', () => {
  it.each([
    [{ maxUnavailable: 2 }, 5, 3],
    [{ maxUnavailable: '30%' }, 5, 3],
    [{ maxUnavailable: 9 }, 5, 0],
    [{ minAvailable: 2 }, 5, 2],
    [{ minAvailable: '50%' }, 5, 3],
    [{ minAvailable: '100%' }, 5, 5],
  ])('with %j of %i: %i are to stay', (spec, pods, healthy) => {
    expect(expected(budget(spec), pods)).toEqual({ pods, healthy });
  });
});

describe('the status of a budget', () => {
  const statusOf = (
    one: PodDisruptionBudget,
    pods: Parameters<typeof budgetStatus>[1],
    count = pods.length,
  ) => budgetStatus(one, pods, expected(one, count), disrupted(one, pods, NOW), NOW);

  it('counts Pods that are ready, and neither terminate nor were evicted', () => {
    const pods = [
      pod('a', { ready: 0 }),
      pod('b', { ready: 0 }),
      pod('c', { ready: 0, deleted: true }),
      pod('d'),
      pod('e', { ready: 0 }),
    ];
    const one = budget(
      { minAvailable: 1 },
      { disruptedPods: { b: ago(10), c: ago(10), gone: ago(1), e: ago(121) } },
    );
    expect(statusOf(one, pods)).toEqual({
      currentHealthy: 2,
      desiredHealthy: 1,
      expectedPods: 5,
      disruptionsAllowed: 1,
      observedGeneration: 1,
      disruptedPods: { b: ago(10) },
      conditions: [
        {
          type: 'DisruptionAllowed',
          status: 'True',
          reason: 'SufficientPods',
          message: '',
          observedGeneration: 1,
          lastTransitionTime: ago(0),
        },
      ],
    });
    const { again, staying } = disrupted(one, pods, NOW);
    expect([again, staying.map(({ metadata }) => metadata!.name)]).toEqual([110_000, ['e']]);
  });

  it('allows nothing without expected Pods, whatever is healthy', () => {
    const status = statusOf(budget({ maxUnavailable: 1 }), [pod('a', { ready: 0 })], 0);
    expect(status).toMatchObject({
      expectedPods: 0,
      disruptionsAllowed: 0,
      conditions: [{ reason: 'InsufficientPods' }],
    });
  });

  it('is written again only for a change, and keeps the time of an equal condition', () => {
    const pods = [pod('a', { ready: 0 })];
    const first = statusOf(budget({ minAvailable: 1 }), pods)!;
    expect(statusOf(budget({ minAvailable: 1 }, first), pods)).toBeUndefined();
    const old = { ...first, conditions: [{ ...first.conditions![0], lastTransitionTime: ago(99) }] };
    const next = statusOf(budget({ minAvailable: 1 }, old), [...pods, pod('b')])!;
    expect(next.conditions![0]!.lastTransitionTime).toBe(ago(99));
    const grown = statusOf(budget({ minAvailable: 0 }, old), pods)!;
    expect(grown.conditions![0]!.lastTransitionTime).toBe(ago(0));
  });

  it('says why it could not be computed, and allows nothing then', () => {
    const status = failedStatus(
      { disruptionsAllowed: 3, expectedPods: 5, observedGeneration: 1 },
      'why',
      NOW,
    );
    expect(status).toMatchObject({
      disruptionsAllowed: 0,
      expectedPods: 5,
      conditions: [{ status: 'False', reason: 'SyncFailed', message: 'why', observedGeneration: 1 }],
    });
  });

  it('never allows so many disruptions that fewer stay than are to', () =>
    fc.assert(
      fc.property(
        fc.array(fc.record({ ready: fc.boolean(), deleted: fc.boolean(), evicted: fc.option(fc.nat(200)) })),
        fc.oneof(
          fc
            .oneof(
              fc.nat(5),
              fc.nat(100).map((share) => `${share}%`),
            )
            .map((minAvailable) => ({ minAvailable })),
          fc
            .oneof(
              fc.nat(5),
              fc.nat(100).map((share) => `${share}%`),
            )
            .map((maxUnavailable) => ({ maxUnavailable })),
        ),
        fc.option(fc.nat(10), { nil: undefined }),
        (states, spec, scale) => {
          const pods = states.map(({ ready, deleted }, index) =>
            pod(`p${index}`, { ...(ready && { ready: 0 }), deleted }),
          );
          const evicted = states.flatMap(({ evicted: seconds }, index) =>
            seconds === null ? [] : [[`p${index}`, ago(seconds)] as const],
          );
          const one = budget(spec, { disruptedPods: Object.fromEntries(evicted) });
          const { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods, disruptedPods } =
            statusOf(one, pods, scale)!;
          expect(disruptionsAllowed).toBeGreaterThanOrEqual(0);
          if (disruptionsAllowed! > 0) expect(currentHealthy! - disruptionsAllowed!).toBe(desiredHealthy);
          if (expectedPods === 0) expect(disruptionsAllowed).toBe(0);
          for (const name of Object.keys(disruptedPods ?? {}))
            expect(Object.fromEntries(evicted)).toHaveProperty(name);
        },
      ),
    ));
});

describe('the condition that a Pod is about to be deleted', () => {
  const target = (rest: object = {}, options: object = {}) => {
    const one = pod('a', options);
    const condition = { type: 'DisruptionTarget', status: 'True', lastTransitionTime: ago(100), ...rest };
    return { ...one, status: { ...one.status, conditions: [condition] } };
  };

  it('is stale two minutes after it was written, unless the Pod is deleted or has ended, or a kubelet wrote it', () => {
    expect(untilStale(target(), NOW)).toBe(20_000);
    expect(untilStale(target({ lastTransitionTime: ago(300) }), NOW)).toBe(0);
    expect(untilStale(pod('a'), NOW)).toBeUndefined();
    for (const never of [
      target({ status: 'False' }),
      target({ reason: 'TerminationByKubelet' }),
      target({}, { deleted: true }),
      target({}, { phase: 'Failed' }),
    ])
      expect(untilStale(never, NOW)).toBeUndefined();
  });
});
