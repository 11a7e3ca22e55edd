import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HorizontalPodAutoscalerSpec } from '../../../src/model/generated/autoscaling-v2.ts';
import { Conditions } from '../../../src/workloads/horizontal-pod-autoscaler/conditions.ts';
import { byRange, decide, rangeOf } from '../../../src/workloads/horizontal-pod-autoscaler/decide.ts';
import { ScaleHistory } from '../../../src/workloads/horizontal-pod-autoscaler/history.ts';
import { NOW } from '../../reconcile/pods/pods.ts';

/** An autoscaler that is asked again and again. */
class Scaler {
  now = NOW;
  current: number;
  readonly history = new ScaleHistory(300_000);
  reasons: string[] = [];

  constructor(
    readonly spec: HorizontalPodAutoscalerSpec,
    current: number,
  ) {
    this.current = current;
  }

  /** @returns the number of Pods after a recommendation that comes some seconds later */
  recommend(recommended: number, seconds = 15): number {
    this.now += seconds * 1000;
    const conditions = new Conditions([], this.now);
    const autoscaler = { spec: { minReplicas: 1, maxReplicas: 100, ...this.spec } };
    const range = rangeOf(autoscaler, this.current);
    const { history, now } = this;
    const next = decide(autoscaler, range, recommended, { conditions, history, downWindow: 300_000, now });
    if (next !== this.current) history.scaled(this.current, next, now);
    this.reasons = conditions.all.map(({ reason }) => reason!);
    this.current = next;
    return next;
  }
}

const behavior = (scaleUp: object, scaleDown: object = {}): HorizontalPodAutoscalerSpec => ({
  behavior: {
    scaleUp: { stabilizationWindowSeconds: 0, selectPolicy: 'Max', ...scaleUp },
    scaleDown: {
      selectPolicy: 'Max',
      policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
      ...scaleDown,
    },
  },
});

describe('an autoscaler without rules', () => {
  it('at most doubles the Pods, or adds up to four', () => {
    const scaler = new Scaler({}, 1);
    expect([scaler.recommend(50), scaler.recommend(50), scaler.recommend(50)]).toEqual([4, 8, 16]);
    expect(scaler.reasons).toEqual(['ReadyForNewScale', 'ScaleUpLimit']);
  });

  it('keeps the highest recommendation of the last time before it removes Pods', () => {
    const scaler = new Scaler({}, 10);
    expect([scaler.recommend(10), scaler.recommend(3), scaler.recommend(3, 280)]).toEqual([10, 10, 10]);
    expect(scaler.reasons).toEqual(['ScaleDownStabilized', 'DesiredWithinRange']);
    expect(scaler.recommend(3, 30)).toBe(3);
  });

  it('stays within its range', () => {
    const scaler = new Scaler({ minReplicas: 2, maxReplicas: 3 }, 3);
    expect([scaler.recommend(9), scaler.reasons[1]]).toEqual([3, 'TooManyReplicas']);
    expect([scaler.recommend(1, 400), scaler.reasons[1]]).toEqual([2, 'TooFewReplicas']);
  });
});

describe('an autoscaler with rules', () => {
  it('adds as many Pods as its policies permit in a period', () => {
    const scaler = new Scaler(behavior({ policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] }), 1);
    expect([scaler.recommend(8), scaler.recommend(8), scaler.recommend(8, 60)]).toEqual([2, 2, 3]);
    expect(scaler.reasons).toEqual(['ReadyForNewScale', 'ScaleUpLimit']);
  });

  it('takes the policy that changes most, or least', () => {
    const policies = [
      { type: 'Pods', value: 4, periodSeconds: 60 },
      { type: 'Percent', value: 50, periodSeconds: 60 },
    ];
    expect(new Scaler(behavior({ policies }), 10).recommend(90)).toBe(15);
    expect(new Scaler(behavior({ policies, selectPolicy: 'Min' }), 10).recommend(90)).toBe(14);
    const down = { policies, stabilizationWindowSeconds: 0 };
    expect(new Scaler(behavior({}, down), 10).recommend(1)).toBe(5);
    expect(new Scaler(behavior({}, { ...down, selectPolicy: 'Min' }), 10).recommend(1)).toBe(6);
  });

  it('does nothing in a direction that is disabled', () => {
    const scaler = new Scaler(
      behavior({ selectPolicy: 'Disabled' }, { selectPolicy: 'Disabled', stabilizationWindowSeconds: 0 }),
      5,
    );
    expect([scaler.recommend(9), scaler.recommend(1)]).toEqual([5, 5]);
  });

  it('keeps the lowest recommendation of the window before it adds Pods', () => {
    const policies = [{ type: 'Pods', value: 50, periodSeconds: 15 }];
    const scaler = new Scaler(behavior({ policies, stabilizationWindowSeconds: 60 }), 5);
    expect([scaler.recommend(5), scaler.recommend(20), scaler.recommend(20)]).toEqual([5, 5, 5]);
    expect(scaler.reasons[0]).toBe('ScaleUpStabilized');
    expect(scaler.recommend(20, 60)).toBe(20);
  });
});

it('leaves objects without Pods alone, and brings others into their range', () => {
  const range = { minimum: 2, maximum: 4 };
  expect(byRange({ ...range, current: 0 })).toBe('disabled');
  expect(byRange({ ...range, minimum: 0, current: 0 })).toBe('measure');
  expect(byRange({ ...range, current: 9 })).toMatchObject({ replicas: 4 });
  expect(byRange({ ...range, current: 1 })).toMatchObject({ replicas: 2 });
  expect(byRange({ ...range, current: 3 })).toBe('measure');
});

const policy = fc.record({
  type: fc.constantFrom('Pods', 'Percent'),
  value: fc.integer({ min: 1, max: 100 }),
  periodSeconds: fc.integer({ min: 1, max: 1800 }),
});
const rules = fc.record({
  stabilizationWindowSeconds: fc.integer({ min: 0, max: 3600 }),
  selectPolicy: fc.constantFrom('Max', 'Min', 'Disabled'),
  policies: fc.array(policy, { minLength: 1, maxLength: 3 }),
});

it('stays within the range, and never goes against a recommendation that holds', () =>
  fc.assert(
    fc.property(
      fc.option(fc.record({ scaleUp: rules, scaleDown: rules }), { nil: undefined }),
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.record({ wanted: fc.nat(60), seconds: fc.nat(900) }), { maxLength: 30 }),
      (behaviors, current, steps) => {
        const scaler = new Scaler(
          { minReplicas: 1, maxReplicas: 40, ...(behaviors && { behavior: behaviors }) },
          current,
        );
        let [lowest, highest] = [current, current];
        for (const { wanted, seconds } of steps) {
          [lowest, highest] = [
            Math.min(lowest, Math.max(1, wanted)),
            Math.max(highest, Math.min(40, wanted)),
          ];
          const before = scaler.current;
          const after = scaler.recommend(wanted, seconds);
          expect(after).toBeGreaterThanOrEqual(lowest);
          expect(after).toBeLessThanOrEqual(highest);
          if (behaviors?.scaleUp.selectPolicy === 'Disabled') expect(after).toBeLessThanOrEqual(before);
          if (behaviors?.scaleDown.selectPolicy === 'Disabled') expect(after).toBeGreaterThanOrEqual(before);
        }
      },
    ),
  ));
