import { describe, expect, it } from 'vitest';
import type { Replication } from '../../../src/workloads/replica-sets/kinds.ts';
import { replicaStatus } from '../../../src/workloads/replica-sets/status.ts';
import { NOW, pod } from '../../reconcile/pods/pods.ts';

const FAILURE = { reason: 'FailedCreate', message: 'pods "a" is forbidden' } as const;

const replication = (changes: Partial<Replication> = {}): Replication => ({
  replicas: 3,
  minReadySeconds: 0,
  selector: { matchLabels: { app: 'a' } },
  template: { metadata: { labels: { app: 'a', extra: 'x' } } },
  status: {},
  ...changes,
});

describe('the status of replicas', () => {
  it('counts, and leaves out zeros but that of the replicas', () => {
    expect(replicaStatus(replication(), 4, { active: [] }, undefined, NOW)).toEqual({
      replicas: 0,
      observedGeneration: 4,
    });
    const pods = [
      pod('a', { ready: 5, labels: { app: 'a', extra: 'x' } }),
      pod('b', { ready: 15, labels: { app: 'a' } }),
      pod('c', { labels: { app: 'a', extra: 'y' } }),
    ];
    expect(replicaStatus(replication({ minReadySeconds: 10 }), 1, { active: pods }, undefined, NOW)).toEqual({
      replicas: 3,
      fullyLabeledReplicas: 1,
      readyReplicas: 2,
      availableReplicas: 1,
      observedGeneration: 1,
    });
  });

  it('counts Pods that terminate where it is to be said, also none', () => {
    const counts = (terminating: number | undefined) =>
      replicaStatus(replication(), 1, { active: [], terminating }, undefined, NOW).terminatingReplicas;
    expect([counts(undefined), counts(0), counts(2)]).toEqual([undefined, 0, 2]);
  });

  it('keeps the first failure until there is none, and other conditions', () => {
    const other = { type: 'Mine', status: 'True' };
    const first = replicaStatus(
      replication({ status: { conditions: [other] } }),
      1,
      { active: [] },
      FAILURE,
      NOW,
    );
    expect(first.conditions).toEqual([
      other,
      { type: 'ReplicaFailure', status: 'True', lastTransitionTime: '2027-01-15T08:00:00Z', ...FAILURE },
    ]);
    const later = { ...FAILURE, message: 'another' };
    expect(
      replicaStatus(replication({ status: first }), 1, { active: [] }, later, NOW + 5000).conditions,
    ).toEqual(first.conditions);
    expect(
      replicaStatus(replication({ status: first }), 1, { active: [] }, undefined, NOW).conditions,
    ).toEqual([other]);
    expect(replicaStatus(replication(), 1, { active: [] }, undefined, NOW).conditions).toBeUndefined();
  });
});
