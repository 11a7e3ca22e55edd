import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClusterRole } from '../../../src/model/generated/rbac-v1.ts';
import { template, WorkloadCluster, workload } from '../workload-cluster.ts';

const ROLE = '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:controller:replicaset-controller';
const QUOTA = { metadata: { name: 'few' }, spec: { hard: { pods: '1' } } };

describe('the controller of ReplicaSets', () => {
  let cluster: WorkloadCluster;
  beforeAll(async () => {
    cluster = await WorkloadCluster.start();
  });
  afterAll(() => cluster.cluster.stop());

  it('creates Pods, follows their readiness and the wanted number, and reports events', async () => {
    const { api } = cluster;
    await api.call('POST', cluster.apps('replicasets'), workload('web'));
    const { status } = await cluster.replicaSet('web', (set) => set.status?.availableReplicas === 2);
    expect(status).toEqual({
      replicas: 2,
      fullyLabeledReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      observedGeneration: 1,
    });
    const pods = await cluster.pods('app=web');
    expect(pods[0]!.metadata).toMatchObject({
      name: expect.stringMatching(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/),
      generateName: 'web-',
      ownerReferences: [{ kind: 'ReplicaSet', name: 'web', controller: true, blockOwnerDeletion: true }],
    });
    await api.merge(cluster.apps('replicasets/web/scale'), { spec: { replicas: 0 } });
    await cluster.replicaSet(
      'web',
      (set) => set.status?.observedGeneration === 2 && set.status.replicas === 0,
    );
    for (const { metadata } of pods) {
      await cluster.events('web', `SuccessfulCreate: Created pod: ${metadata!.name}`);
      await cluster.events('web', `SuccessfulDelete: Deleted pod: ${metadata!.name}`);
    }
  });

  it('adopts Pods that it selects and releases those that it does not select any more', async () => {
    const { api } = cluster;
    const orphan = { ...template('adopter'), metadata: { name: 'orphan', labels: { app: 'adopter' } } };
    await api.call('POST', cluster.core('pods'), orphan);
    await api.call('POST', cluster.apps('replicasets'), workload('adopter'));
    await cluster.replicaSet('adopter', (set) => set.status?.availableReplicas === 2);
    const adopted = await api.call('GET', cluster.core('pods/orphan'));
    expect(adopted.metadata!.ownerReferences).toMatchObject([{ kind: 'ReplicaSet', controller: true }]);
    expect((await cluster.pods('app=adopter')).length).toBe(2);
    await api.merge(cluster.core('pods/orphan'), { metadata: { labels: { app: 'free' } } });
    await cluster.until(
      cluster.core('pods/orphan'),
      ({ metadata }: typeof adopted) => metadata!.ownerReferences === undefined,
    );
    await cluster.replicaSet('adopter', (set) => set.status?.availableReplicas === 2);
  });

  it('leaves objects alone that ask for it, until they do not', async () => {
    const { api } = cluster;
    const annotations = { 'sim.binnacle.dev/manage': 'false' };
    await api.call('POST', cluster.apps('replicasets'), workload('alone', {}, { annotations }));
    await api.call('POST', cluster.apps('replicasets'), workload('other'));
    await cluster.replicaSet('other', (set) => set.status?.replicas === 2);
    expect(await cluster.pods('app=alone')).toEqual([]);
    await api.merge(cluster.apps('replicasets/alone'), { metadata: { annotations: null } });
    await cluster.replicaSet('alone', (set) => set.status?.replicas === 2);
  });

  it('says that a quota refuses Pods, until there is room', async () => {
    const { api } = cluster;
    const full = await cluster.inNewNamespace();
    await api.call('POST', full.core('resourcequotas'), QUOTA);
    await full.until(
      full.core('resourcequotas/few'),
      ({ status }: { status?: object }) => status !== undefined && Object.keys(status).length > 0,
    );
    await api.call('POST', full.apps('replicasets'), workload('web'));
    const { status } = await full.replicaSet('web', (set) => set.status?.conditions !== undefined);
    expect(status!.conditions).toMatchObject([
      {
        type: 'ReplicaFailure',
        status: 'True',
        reason: 'FailedCreate',
        message: expect.stringMatching(/^pods "web-\w{5}" is forbidden: exceeded quota: few/),
      },
    ]);
    await api.call('DELETE', full.core('resourcequotas/few'));
    await full.replicaSet(
      'web',
      (set) => set.status?.availableReplicas === 2 && set.status.conditions === undefined,
    );
  });

  it('may do what the bootstrap role of its service account says', async () => {
    const { api } = cluster;
    const role = (await api.call('GET', ROLE)) as unknown as ClusterRole;
    const rules = role.rules!.map((rule) =>
      rule.resources!.includes('pods')
        ? { ...rule, verbs: rule.verbs!.filter((verb) => verb !== 'create') }
        : rule,
    );
    await api.merge(ROLE, { rules });
    await api.call('POST', cluster.apps('replicasets'), workload('refused', { replicas: 1 }));
    const { status } = await cluster.replicaSet('refused', (set) => set.status?.conditions !== undefined);
    const message = `pods is forbidden: User "system:serviceaccount:kube-system:replicaset-controller" cannot create resource "pods" in API group "" in the namespace "${cluster.namespace}"`;
    expect(status!.conditions).toMatchObject([{ reason: 'FailedCreate', message }]);
    await cluster.events('refused', `FailedCreate: Error creating: ${message}`);
    await api.merge(ROLE, { rules: role.rules });
    await cluster.replicaSet('refused', (set) => set.status?.availableReplicas === 1);
  });
});
