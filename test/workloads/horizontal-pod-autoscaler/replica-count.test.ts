import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/model/generated/core-v1.ts';
import { formatTime } from '../../../src/model/time.ts';
import type { PodMetricsByName } from '../../../src/workloads/horizontal-pod-autoscaler/metrics.ts';
import { groupPods, podRequests } from '../../../src/workloads/horizontal-pod-autoscaler/pod-groups.ts';
import {
  byAverage,
  byShare,
  byUtilization,
  byValue,
  type Situation,
} from '../../../src/workloads/horizontal-pod-autoscaler/replica-count.ts';
import { resourceMetrics } from '../../../src/workloads/horizontal-pod-autoscaler/resource-metrics.ts';
import { NOW, pod } from '../../reconcile/pods/pods.ts';

const SETTINGS = { cpuInitializationPeriod: 300_000, initialReadinessDelay: 30_000 };

const started = (one: Pod, secondsAgo: number): Pod => ({
  ...one,
  status: { ...one.status, startTime: formatTime(NOW - secondsAgo * 1000) },
});

/** A Pod that runs for an hour and requests 100 thousandths of a processor. */
function worker(name: string, options: Parameters<typeof pod>[1] = { ready: 3000 }): Pod {
  const one = started(pod(name, options), 3600);
  const containers = [{ name: 'main', resources: { requests: { cpu: '100m' } } }];
  return { ...one, spec: { nodeName: 'n', containers } };
}

const situation = (pods: readonly Pod[], rest: Partial<Situation> = {}): Situation => ({
  pods,
  wanted: pods.length,
  present: pods.length,
  tolerances: { up: 0.1, down: 0.1 },
  settings: SETTINGS,
  now: NOW,
  ...rest,
});

const measured = (values: Record<string, number>): PodMetricsByName =>
  new Map(
    Object.entries(values).map(([name, value]) => [name, { value: BigInt(value), at: NOW, window: 10_000 }]),
  );

const utilization = (pods: readonly Pod[], values: Record<string, number>, rest: Partial<Situation> = {}) =>
  byUtilization(situation(pods, rest), measured(values), 50, 'cpu', undefined);

describe('the number of Pods by what they use of their requests', () => {
  const three = ['a', 'b', 'c'].map((name) => worker(name));

  it.each([
    [[50, 50, 50], 3],
    [[54, 54, 55], 3],
    [[60, 60, 60], 4],
    [[100, 100, 100], 6],
    [[20, 20, 20], 2],
    [[0, 0, 0], 0],
  ])('%j of 100 with a target of 50 %%: %i', ([a, b, c], replicas) => {
    expect(utilization(three, { a: a!, b: b!, c: c! }).replicas).toBe(replicas);
  });

  it('counts Pods without measurement as if that spoke against a change', () => {
    expect(utilization(three, { a: 100, b: 100 }).replicas).toBe(4);
    expect(utilization(three, { a: 10, b: 10 }).replicas).toBe(3);
    expect(utilization(three, { a: 60, b: 60 }).replicas).toBe(3);
  });

  it('counts Pods that start as if they used nothing, and not at all when fewer are wanted', () => {
    const starting = [...three.slice(0, 2), worker('c', { phase: 'Pending' })];
    expect(utilization(starting, { a: 100, b: 100 }).replicas).toBe(4);
    expect(utilization(starting, { a: 20, b: 20 }).replicas).toBe(1);
  });

  it('leaves out Pods that end or have failed', () => {
    const ending = [three[0]!, worker('b', { ready: 1, deleted: true }), worker('c', { phase: 'Failed' })];
    expect(utilization(ending, { a: 100, b: 0, c: 0 })).toEqual({
      replicas: 2,
      usage: 100n,
      utilization: 100,
    });
  });

  it('has tolerances for more and for fewer Pods', () => {
    const values = { a: 60, b: 60, c: 60 };
    expect(utilization(three, values, { tolerances: { up: 0.2, down: 0 } }).replicas).toBe(3);
    expect(utilization(three, { a: 40, b: 40, c: 40 }, { tolerances: { up: 0, down: 0.2 } }).replicas).toBe(
      3,
    );
  });

  it('says why there is no answer', () => {
    expect(() => utilization([], {})).toThrow('no pods returned by selector while calculating replica count');
    expect(() => utilization(three, {})).toThrow(
      'did not receive metrics for targeted pods (pods might be unready)',
    );
    const lazy = [{ ...three[0]!, spec: { containers: [{ name: 'main' }] } }];
    expect(() => utilization(lazy, { a: 1 })).toThrow('missing request for cpu in container main of Pod a');
  });

  it('never changes its direction for Pods that were not measured', () =>
    fc.assert(
      fc.property(
        fc.array(fc.record({ usage: fc.option(fc.nat(400)), isPending: fc.boolean() }), {
          minLength: 1,
          maxLength: 12,
        }),
        (states) => {
          const pods = states.map(({ isPending }, index) =>
            worker(`p${index}`, isPending ? { phase: 'Pending' } : { ready: 3000 }),
          );
          const counted = states.flatMap(({ usage, isPending }, index) =>
            usage === null || isPending ? [] : [[`p${index}`, usage] as const],
          );
          fc.pre(counted.length > 0);
          const { replicas } = utilization(pods, Object.fromEntries(counted));
          const average = counted.reduce((sum, [, usage]) => sum + usage, 0) / counted.length;
          if (average > 60) expect(replicas).toBeGreaterThanOrEqual(Math.min(pods.length, counted.length));
          if (average < 40) expect(replicas).toBeLessThanOrEqual(pods.length);
          expect(replicas).toBeGreaterThanOrEqual(0);
        },
      ),
    ));
});

describe('the number of Pods by other values', () => {
  const pods = ['a', 'b'].map((name) => worker(name));

  it('of each Pod', () => {
    expect(byAverage(situation(pods), measured({ a: 3000, b: 1000 }), 1000n, undefined)).toEqual({
      replicas: 4,
      usage: 2000n,
    });
  });

  it('of one object, in relation to its target', () => {
    expect(byValue(situation(pods), 30n, 10n)).toEqual({ replicas: 6, usage: 30n });
    expect(byValue(situation(pods), 10n, 10n).replicas).toBe(2);
    expect(byValue(situation([], { wanted: 0 }), 25n, 10n).replicas).toBe(3);
    expect(() => byValue(situation([], { wanted: 2 }), 30n, 10n)).toThrow(
      'unable to calculate ready pods: no pods',
    );
  });

  it('that are shared by the Pods', () => {
    expect(byShare(situation(pods), 95n, 10n)).toEqual({ replicas: 10, usage: 48n });
    expect(byShare(situation(pods), 21n, 10n).replicas).toBe(2);
    expect(byShare(situation([]), 95n, 10n).replicas).toBe(10);
    expect(byShare(situation([]), 0n, 10n).replicas).toBe(0);
  });
});

describe('the worth of measurements', () => {
  const groups = (one: Pod, at = NOW, isCpu = true) =>
    groupPods([one], new Map([['a', { value: 1n, at, window: 10_000 }]]), isCpu, SETTINGS, NOW);
  const isUnready = (...parameters: Parameters<typeof groups>): boolean =>
    groups(...parameters).unready.has('a');

  it('is none while a Pod starts, for processors only', () => {
    expect(isUnready(started(pod('a', { ready: 100 }), 200))).toBe(false);
    expect(isUnready(started(pod('a', { ready: 5 }), 200))).toBe(true);
    expect(isUnready(started(pod('a', { ready: 5 }), 200), NOW, false)).toBe(false);
    expect(isUnready(started(pod('a'), 200))).toBe(true);
    expect(isUnready(pod('a', { ready: 100 }))).toBe(true);
  });

  it('is none later for a Pod that was never ready', () => {
    const unready = (changed: number): Pod => {
      const one = started(pod('a'), 3600);
      const lastTransitionTime = formatTime(NOW - changed * 1000);
      return {
        ...one,
        status: {
          ...one.status,
          conditions: [{ type: 'Ready', status: 'False', lastTransitionTime }] as never,
        },
      };
    };
    expect(isUnready(unready(3590))).toBe(true);
    expect(isUnready(unready(100))).toBe(false);
  });

  it('adds what sidecars request', () => {
    const one = worker('a');
    const sidecar = { name: 'side', restartPolicy: 'Always', resources: { requests: { cpu: '50m' } } };
    const withSidecar = { ...one, spec: { ...one.spec, initContainers: [sidecar, { name: 'init' }] } };
    expect(podRequests([withSidecar], 'cpu', undefined).get('a')).toBe(150n);
    expect(podRequests([withSidecar], 'cpu', 'side').get('a')).toBe(50n);
  });

  it('is the sum of all containers, or that of one', () => {
    const usage = (containers: { name: string; usage: Record<string, string> }[]) => [
      { pod: 'a', namespace: 'ns', containers, at: NOW, window: 10_000 },
    ];
    const both = usage([
      { name: 'x', usage: { cpu: '1' } },
      { name: 'y', usage: { cpu: '500m' } },
    ]);
    expect(resourceMetrics(both, 'cpu', undefined).get('a')?.value).toBe(1500n);
    expect(resourceMetrics(both, 'cpu', 'y').get('a')?.value).toBe(500n);
    expect(resourceMetrics(both, 'memory', undefined).size).toBe(0);
    expect(() => resourceMetrics(both, 'cpu', 'z')).toThrow(
      'container z not present in metrics for pod ns/a',
    );
  });
});
