import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PersistentVolumeClaim, Pod } from '../../../src/model/generated/core-v1.ts';
import type { ClusterRole } from '../../../src/model/generated/rbac-v1.ts';
import { isReady } from '../../../src/reconcile/pods/pod-state.ts';
import { WorkloadCluster } from '../workload-cluster.ts';

const ROLE = '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:controller:ephemeral-volume-controller';

const spec = {
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
  storageClassName: 'scratch',
};
const pod = (name: string) => ({
  metadata: { name },
  spec: {
    containers: [{ name: 'main', image: 'app:1' }],
    volumes: [
      {
        name: 'scratch',
        ephemeral: {
          volumeClaimTemplate: { metadata: { labels: { of: name }, annotations: { says: name } }, spec },
        },
      },
    ],
  },
});

describe('the controller of ephemeral volumes', () => {
  let cluster: WorkloadCluster;
  beforeAll(async () => {
    cluster = await WorkloadCluster.start();
    await cluster.api.call('POST', '/apis/storage.k8s.io/v1/storageclasses', {
      metadata: { name: 'scratch' },
      provisioner: 'volumes.sim.binnacle.dev',
    });
  });
  afterAll(() => cluster.cluster.stop());

  const claimNamed = (name: string): string => cluster.core(`persistentvolumeclaims/${name}`);
  const isBound = ({ status }: PersistentVolumeClaim): boolean => status?.phase === 'Bound';

  it('makes a claim that the Pod controls and that goes with it', async () => {
    const { api } = cluster;
    const created = await api.call('POST', cluster.core('pods'), pod('user'));
    const claim = await cluster.until(claimNamed('user-scratch'), isBound);
    expect(claim.metadata).toMatchObject({
      labels: { of: 'user' },
      annotations: { says: 'user' },
      ownerReferences: [
        { kind: 'Pod', name: 'user', uid: created.metadata!.uid, controller: true, blockOwnerDeletion: true },
      ],
    });
    await cluster.until(cluster.core('pods/user'), (one: Pod) => isReady(one));
    await api.call('DELETE', cluster.core('pods/user'));
    await cluster.until(
      cluster.core('persistentvolumeclaims'),
      ({ items }: { items?: [] }) => items?.length === 0,
    );
  });

  it('does not use the claim of somebody else, until that is gone', async () => {
    const { api } = cluster;
    await api.call('POST', cluster.core('persistentvolumeclaims'), {
      metadata: { name: 'late-scratch' },
      spec,
    });
    await api.call('POST', cluster.core('pods'), pod('late'));
    const { namespace } = cluster;
    const problem = `PVC ${namespace}/late-scratch was not created for pod ${namespace}/late (pod is not owner)`;
    await cluster.events('late', `FailedBinding: ephemeral volume scratch: ${problem}`);
    await api.call('DELETE', claimNamed('late-scratch'));
    await cluster.until(cluster.core('pods/late'), (one: Pod) => isReady(one));
  });

  it('leaves Pods alone that ask for it, until they do not', async () => {
    const { api } = cluster;
    const alone = { metadata: { name: 'alone', annotations: { 'sim.binnacle.dev/manage': 'false' } } };
    await api.call('POST', cluster.core('pods'), { ...pod('alone'), ...alone });
    await api.call('POST', cluster.core('pods'), pod('other'));
    await cluster.until(claimNamed('other-scratch'), isBound);
    expect(await api.status(claimNamed('alone-scratch'))).toBe(404);
    await api.merge(cluster.core('pods/alone'), { metadata: { annotations: null } });
    await cluster.until(claimNamed('alone-scratch'), isBound);
  });

  it('may do what the bootstrap role of its service account says', async () => {
    const { api, namespace } = cluster;
    const role = (await api.call('GET', ROLE)) as unknown as ClusterRole;
    await api.merge(ROLE, {
      rules: role.rules!.filter(({ resources }) => !resources!.includes('persistentvolumeclaims')),
    });
    await api.call('POST', cluster.core('pods'), pod('refused'));
    await cluster.events(
      'refused',
      `FailedBinding: ephemeral volume scratch: create PVC refused-scratch: persistentvolumeclaims is forbidden: User "system:serviceaccount:kube-system:ephemeral-volume-controller" cannot create resource "persistentvolumeclaims" in API group "" in the namespace "${namespace}"`,
    );
    await api.merge(ROLE, { rules: role.rules });
    await cluster.until(claimNamed('refused-scratch'), isBound);
  });
});
