import { describe, expect, it } from 'vitest';
import type { StatefulSet } from '../../../src/model/generated/apps-v1.ts';
import { plan } from '../../../src/workloads/stateful-sets/plan.ts';
import { member, observed, statefulSet } from './objects.ts';

/** What is done, as `verb name`, rounds that are empty left out. */
const planned = (...parameters: Parameters<typeof observed>): string[][] =>
  plan(observed(...parameters))
    .map((round) => round.flat().map(({ does, pod }) => `${does} ${pod.metadata!.name}`))
    .filter((round) => round.length > 0);

const parallel = (spec: StatefulSet['spec'] = {}): StatefulSet =>
  statefulSet({ podManagementPolicy: 'Parallel', ...spec });

describe('an ordered set', () => {
  const set = statefulSet();

  it('creates the first Pod that is missing, and waits for it', () => {
    expect(planned(set, [])).toEqual([['create db-0']]);
    expect(planned(set, [member(set, 0)])).toEqual([['create db-1']]);
    expect(planned(set, [member(set, 0, { ready: false })])).toEqual([]);
    expect(planned(set, [member(set, 0), member(set, 2)])).toEqual([['create db-1']]);
  });

  it('waits until a ready Pod is available', () => {
    const slow = statefulSet({ minReadySeconds: 10 });
    expect(planned(slow, [member(slow, 0, { ready: 9 })])).toEqual([]);
    expect(planned(slow, [member(slow, 0, { ready: 10 })])).toEqual([['create db-1']]);
  });

  it.each(['Failed', 'Succeeded'])('replaces a Pod in phase %s', (phase) => {
    const pods = [member(set, 0, { phase, ready: false })];
    expect(planned(set, pods)).toEqual([['delete db-0']]);
    expect(planned(set, [member(set, 0, { phase, ready: false, deleted: true })])).toEqual([]);
  });

  it('removes Pods that it does not want, the highest first, one at a time', () => {
    const one = statefulSet({ replicas: 1 });
    const pods = [0, 1, 2].map((ordinal) => member(one, ordinal));
    expect(planned(one, pods)).toEqual([['delete db-2']]);
    expect(planned(one, [...pods.slice(0, 2), member(one, 2, { deleted: true })])).toEqual([]);
  });

  it('removes no Pod while one of a lower ordinal is unhealthy, and an unhealthy one only if it is the lowest', () => {
    const one = statefulSet({ replicas: 1 });
    const healthy = [member(one, 0), member(one, 1)];
    expect(planned(one, [member(one, 0, { ready: false }), member(one, 1)])).toEqual([]);
    expect(planned(one, [...healthy, member(one, 2, { ready: false })])).toEqual([['delete db-2']]);
    expect(
      planned(one, [member(one, 0), member(one, 1, { ready: false }), member(one, 2, { ready: false })]),
    ).toEqual([]);
  });

  it('counts ordinals from its start', () => {
    const shifted = statefulSet({ replicas: 2, ordinals: { start: 2 } });
    expect(planned(shifted, [member(shifted, 2)])).toEqual([['create db-3']]);
    expect(
      planned(
        shifted,
        [0, 2, 3].map((ordinal) => member(shifted, ordinal)),
      ),
    ).toEqual([['delete db-0']]);
  });

  it('updates from the highest ordinal down to the partition, each after the next is healthy', () => {
    const old = { revision: 'v0' };
    const pods = [0, 1, 2].map((ordinal) => member(set, ordinal, old));
    expect(planned(set, pods, { current: 'v0' })).toEqual([['delete db-2']]);
    expect(planned(set, [...pods.slice(0, 2), member(set, 2)], { current: 'v0' })).toEqual([['delete db-1']]);
    const partitioned = statefulSet({
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
    });
    expect(planned(partitioned, [...pods.slice(0, 2), member(set, 2)], { current: 'v0' })).toEqual([]);
  });

  it('updates nothing by itself with OnDelete', () => {
    const manual = statefulSet({ updateStrategy: { type: 'OnDelete' } });
    const pods = [0, 1, 2].map((ordinal) => member(manual, ordinal, { revision: 'v0' }));
    expect(planned(manual, pods, { current: 'v0' })).toEqual([]);
    const round = plan(observed(manual, pods.slice(0, 2), { current: 'v0' }))[0]!;
    expect(round[0]![0]!.pod.metadata!.labels!['controller-revision-hash']).toBe('v1');
  });

  it('gives Pods below the partition the current revision', () => {
    const partitioned = statefulSet({
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
    });
    const created = (pods: Parameters<typeof observed>[1]): string =>
      plan(observed(partitioned, pods, { current: 'v0' }))[0]![0]![0]!.pod.metadata!.labels![
        'controller-revision-hash'
      ]!;
    expect(created([])).toBe('v0');
    expect(created([member(partitioned, 0)])).toBe('v1');
  });
});

describe('a parallel set', () => {
  it('creates and removes all Pods at once', () => {
    const set = parallel();
    expect(planned(set, [])).toEqual([['create db-0', 'create db-1', 'create db-2']]);
    const none = parallel({ replicas: 0 });
    expect(
      planned(
        none,
        [0, 1].map((ordinal) => member(none, ordinal, { ready: false })),
      ),
    ).toEqual([['delete db-1', 'delete db-0']]);
  });

  it('updates one Pod at a time, or as many as the set says where that is read', () => {
    const set = parallel({
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '67%' } },
    });
    const pods = [0, 1, 2].map((ordinal) => member(set, ordinal, { revision: 'v0' }));
    expect(planned(set, pods, { current: 'v0' })).toEqual([['delete db-2']]);
    expect(planned(set, pods, { current: 'v0', readsMaxUnavailable: true })).toEqual([
      ['delete db-2', 'delete db-1'],
    ]);
    const broken = [...pods.slice(0, 2), member(set, 2, { ready: false })];
    expect(planned(set, broken, { current: 'v0', readsMaxUnavailable: true })).toEqual([['delete db-1']]);
  });
});
