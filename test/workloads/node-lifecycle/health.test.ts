import { describe, expect, it } from 'vitest';
import type { Node } from '../../../src/model/generated/core-v1.ts';
import { observeHealth, silentAt, silentConditions } from '../../../src/workloads/node-lifecycle/health.ts';
import { labelChanges } from '../../../src/workloads/node-lifecycle/labels.ts';
import { recordOf } from '../../../src/workloads/node-lifecycle/node-record.ts';
import { changedTaints, taintChanges } from '../../../src/workloads/node-lifecycle/taints.ts';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const node = (conditions: Record<string, string>, rest: Node = {}): Node => ({
  metadata: { name: 'n', uid: 'u', creationTimestamp: '2029-12-31T23:59:00Z' },
  ...rest,
  status: {
    conditions: Object.entries(conditions).map(([type, status]) => ({
      type,
      status,
      reason: 'R',
      message: 'm',
    })),
  },
});
const settings = {
  monitorPeriod: 5000,
  monitorGracePeriod: 50_000,
  startupGracePeriod: 60_000,
  evictionRate: 0.1,
  secondaryEvictionRate: 0.01,
  largeClusterThreshold: 50,
  unhealthyZoneThreshold: 0.55,
};

describe('the health of a node', () => {
  const record = recordOf(node({ Ready: 'True' }));

  it('is known from the first look on', () => {
    expect(observeHealth(undefined, record, '', NOW).seenAt).toBe(NOW);
    const never = recordOf(node({}));
    expect(observeHealth(undefined, never, '', NOW).seenAt).toBe(NOW - 60_000);
    expect(observeHealth(undefined, never, 'r1', NOW).seenAt).toBe(NOW);
  });

  it('is renewed by a change of the Lease or of the heartbeat, whatever their times are', () => {
    const first = observeHealth(undefined, record, 'r2', NOW);
    expect(observeHealth(first, record, 'r2', NOW + 5000).seenAt).toBe(NOW);
    expect(observeHealth(first, record, 'r1', NOW + 5000).seenAt).toBe(NOW + 5000);
    expect(observeHealth(first, { ...record, heartbeat: 'h' }, 'r2', NOW + 5000).seenAt).toBe(NOW + 5000);
    // A Lease that is gone is no sign of life.
    expect(observeHealth(first, record, '', NOW + 5000)).toEqual(first);
  });

  it('ends after a grace period', () => {
    const health = { seenAt: NOW, heartbeat: '', renewTime: '' };
    expect(silentAt(health, { ready: 'True' }, settings)).toBe(NOW + 50_000);
    expect(silentAt(health, { ready: undefined }, settings)).toBe(NOW + 60_000);
  });

  it('leaves all conditions of the kubelet unknown', () => {
    const silent = silentConditions(node({ Ready: 'True', DiskPressure: 'Unknown', Other: 'True' }), NOW);
    expect(silent).toEqual([
      {
        type: 'Ready',
        status: 'Unknown',
        reason: 'NodeStatusUnknown',
        message: 'Kubelet stopped posting node status.',
        lastTransitionTime: '2030-01-01T00:00:00Z',
      },
      ...['MemoryPressure', 'PIDPressure'].map((type) => ({
        type,
        status: 'Unknown',
        reason: 'NodeStatusNeverUpdated',
        message: 'Kubelet never posted node status.',
        lastHeartbeatTime: '2029-12-31T23:59:00Z',
        lastTransitionTime: '2030-01-01T00:00:00Z',
      })),
    ]);
  });
});

describe('taints', () => {
  const keys = (one: Node) => taintChanges(one);

  it('follow from conditions', () => {
    expect(keys(node({ Ready: 'True', MemoryPressure: 'False' }))).toBeUndefined();
    expect(
      keys(
        node({
          Ready: 'False',
          MemoryPressure: 'True',
          DiskPressure: 'True',
          PIDPressure: 'True',
          NetworkUnavailable: 'True',
        }),
      )?.missing,
    ).toEqual([
      'node.kubernetes.io/not-ready',
      'node.kubernetes.io/memory-pressure',
      'node.kubernetes.io/disk-pressure',
      'node.kubernetes.io/pid-pressure',
      'node.kubernetes.io/network-unavailable',
    ]);
    expect(keys(node({ Ready: 'Unknown' }, { spec: { unschedulable: true } }))?.missing).toEqual([
      'node.kubernetes.io/unreachable',
      'node.kubernetes.io/unschedulable',
    ]);
  });

  it('are taken away, and others are kept', () => {
    const tainted = node(
      { Ready: 'True' },
      {
        spec: {
          taints: [
            { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
            { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
            { key: 'own', effect: 'NoSchedule', value: 'v' },
          ],
        },
      },
    );
    const changes = taintChanges(tainted)!;
    expect(changes).toEqual({ missing: [], surplus: ['node.kubernetes.io/not-ready'] });
    expect(changedTaints(tainted, 'NoSchedule', changes, NOW)).toEqual([
      { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
      { key: 'own', effect: 'NoSchedule', value: 'v' },
    ]);
    expect(changedTaints(tainted, 'NoExecute', { missing: ['a'], surplus: [] }, NOW).at(-1)).toEqual({
      key: 'a',
      effect: 'NoExecute',
      timeAdded: '2030-01-01T00:00:00Z',
    });
  });
});

describe('a record of a node', () => {
  it('has its zone and its taints', () => {
    const labels = {
      'topology.kubernetes.io/region': 'r',
      'failure-domain.beta.kubernetes.io/zone': 'z',
      'node.kubernetes.io/exclude-disruption': '',
    };
    expect(
      recordOf(
        node(
          { Ready: 'Unknown' },
          {
            metadata: { name: 'n', labels },
            spec: { taints: [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }] },
          },
        ),
      ),
    ).toMatchObject({
      zone: 'r/z',
      counts: false,
      ready: 'Unknown',
      noExecute: ['node.kubernetes.io/unreachable'],
      isOutdated: true,
    });
  });

  it('is outdated by labels', () => {
    expect(labelChanges({ 'kubernetes.io/os': 'linux', 'beta.kubernetes.io/os': 'linux' })).toBeUndefined();
    expect(
      labelChanges({
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'arm64',
        'beta.kubernetes.io/arch': 'amd64',
      }),
    ).toEqual({
      'beta.kubernetes.io/arch': 'arm64',
      'beta.kubernetes.io/os': 'linux',
    });
    expect(labelChanges({ 'beta.kubernetes.io/os': 'linux' })).toBeUndefined();
  });
});
