import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReplicaSet } from '../../../src/model/generated/apps-v1.ts';
import { divide } from '../../../src/workloads/deployments/replica-sets.ts';
import { countStatus } from '../../../src/workloads/deployments/status.ts';
import { NOW } from '../../reconcile/pods/pods.ts';
import { isRolledOut, template, WorkloadCluster, workload } from '../workload-cluster.ts';
import { deployment, replicaSet } from './objects.ts';

/** What the status of a Deployment with these ReplicaSets says of Pods that terminate. */
function terminating(countsTerminating: boolean, ...sets: ReplicaSet[]): number | undefined {
  const object = deployment();
  return countStatus(object, divide(object, sets, countsTerminating), NOW).terminatingReplicas;
}

const withStatus = (name: string, status: ReplicaSet['status']): ReplicaSet => ({
  ...replicaSet(name),
  status,
});

describe('Pods of a Deployment that terminate', () => {
  const two = withStatus('web-v1', { replicas: 3, observedGeneration: 1, terminatingReplicas: 2 });

  it('are those of all its ReplicaSets', () => {
    const others = withStatus('web-v2', { replicas: 0, observedGeneration: 1, terminatingReplicas: 1 });
    expect(terminating(true, two, others)).toBe(3);
    expect(terminating(false, two, others)).toBeUndefined();
  });

  it('are unknown as long as a ReplicaSet that was looked at does not count them', () => {
    expect(terminating(true, two, withStatus('new', { replicas: 0 }))).toBe(2);
    expect(terminating(true, two, withStatus('old', { replicas: 0, observedGeneration: 1 }))).toBeUndefined();
  });
});

describe('a cluster of 1.37', () => {
  let cluster: WorkloadCluster;
  beforeAll(async () => {
    cluster = await WorkloadCluster.start({ kubernetesVersion: '1.37' });
  });
  afterAll(() => cluster.cluster.stop());

  it('counts the Pods of ReplicaSets and Deployments that terminate', async () => {
    const { api } = cluster;
    const { metadata, spec } = template('web');
    const annotations = { 'sim.binnacle.dev/stop-delay': 'grace' };
    const slow = {
      metadata: { ...metadata, annotations },
      spec: { ...spec, terminationGracePeriodSeconds: 3600 },
    };
    await api.call('POST', cluster.apps('deployments'), workload('web', { template: slow }));
    const before = await cluster.deployment('web', isRolledOut);
    expect(before.status!.terminatingReplicas).toBe(0);
    await api.merge(cluster.apps('deployments/web'), { spec: { replicas: 1 } });
    const scaled = await cluster.deployment(
      'web',
      (one) => isRolledOut(one) && one.status!.terminatingReplicas === 1,
    );
    expect(scaled.status).toMatchObject({ replicas: 1, availableReplicas: 1 });
    const [going] = (await cluster.pods('app=web')).filter(
      (pod) => pod.metadata!.deletionTimestamp !== undefined,
    );
    await api.call('DELETE', cluster.core(`pods/${going!.metadata!.name}`), { gracePeriodSeconds: 0 });
    await cluster.deployment('web', ({ status }) => status!.terminatingReplicas === 0);
  });
});
