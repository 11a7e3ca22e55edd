import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ControllerRevision, StatefulSet } from '../../../src/model/generated/apps-v1.ts';
import type { PersistentVolumeClaim, Pod } from '../../../src/model/generated/core-v1.ts';
import type { ClusterRole } from '../../../src/model/generated/rbac-v1.ts';
import { template, WorkloadCluster, workload } from '../workload-cluster.ts';

const ROLE = '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:controller:statefulset-controller';

/** Whether all Pods have the present template, as `kubectl rollout status` reads it. */
const isRolledOut = ({ metadata, spec, status }: StatefulSet): boolean =>
  status?.observedGeneration === metadata?.generation &&
  status?.currentRevision === status?.updateRevision &&
  status?.availableReplicas === spec?.replicas &&
  (status?.updatedReplicas ?? 0) === spec?.replicas &&
  status?.replicas === spec?.replicas;

describe('the controller of StatefulSets', () => {
  let cluster: WorkloadCluster;
  beforeAll(async () => {
    cluster = await WorkloadCluster.start();
  });
  afterAll(() => cluster.cluster.stop());

  const create = (name: string, spec: object = {}) =>
    cluster.api.call(
      'POST',
      cluster.apps('statefulsets'),
      workload(name, { serviceName: 'headless', ...spec }),
    );
  const until = (name: string, isSo: (set: StatefulSet) => boolean): Promise<StatefulSet> =>
    cluster.until(cluster.apps(`statefulsets/${name}`), isSo);

  it('creates Pods with names, a revision, and events, and reports their number', async () => {
    await create('db');
    const { status, metadata } = await until('db', isRolledOut);
    const revision = expect.stringMatching(/^db-[bcdfghjklmnpqrstvwxz2456789]+$/);
    expect(status).toEqual({
      observedGeneration: 1,
      replicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      currentReplicas: 2,
      updatedReplicas: 2,
      collisionCount: 0,
      currentRevision: revision,
      updateRevision: revision,
    });
    const pods = await cluster.pods('app=db');
    expect(pods.map(({ metadata: { name } = {} }) => name).sort()).toEqual(['db-0', 'db-1']);
    expect(pods.find(({ metadata: { name } = {} }) => name === 'db-1')).toMatchObject({
      metadata: {
        labels: {
          'statefulset.kubernetes.io/pod-name': 'db-1',
          'apps.kubernetes.io/pod-index': '1',
          'controller-revision-hash': status!.updateRevision,
        },
        ownerReferences: [{ kind: 'StatefulSet', name: 'db', uid: metadata!.uid, controller: true }],
      },
      spec: { hostname: 'db-1', subdomain: 'headless' },
    });
    await cluster.events('db', 'SuccessfulCreate: create Pod db-1 in StatefulSet db successful');
    const path = cluster.apps(`controllerrevisions/${status!.updateRevision}`);
    const stored = (await cluster.api.call('GET', path)) as ControllerRevision;
    expect(stored.revision).toBe(1);
    expect(stored.data).toMatchObject({ spec: { template: { $patch: 'replace', ...template('db') } } });
  });

  it('replaces Pods for a new template, keeps the earlier one, and goes back to it', async () => {
    await create('roll');
    const first = await until('roll', isRolledOut);
    const path = cluster.apps('statefulsets/roll');
    await cluster.api.merge(path, { spec: { template: template('roll', 'app:2') } });
    const second = await until('roll', (set) => set.metadata!.generation === 2 && isRolledOut(set));
    expect(second.status!.updateRevision).not.toBe(first.status!.updateRevision);
    for (const { spec } of await cluster.pods('app=roll')) expect(spec!.containers![0]!.image).toBe('app:2');
    await cluster.api.merge(path, { spec: { template: template('roll') } });
    const third = await until('roll', (set) => set.metadata!.generation === 3 && isRolledOut(set));
    expect(third.status!.updateRevision).toBe(first.status!.updateRevision);
    const { items } = await cluster.api.call(
      'GET',
      cluster.apps('controllerrevisions?labelSelector=app%3Droll'),
    );
    const numbers = (items as unknown as ControllerRevision[]).map(({ revision }) => Number(revision));
    expect(numbers.sort()).toEqual([2, 3]);
  });

  it('gives Pods claims, and the claims the owners of the policy', async () => {
    const claims = (policy: object) => ({
      podManagementPolicy: 'Parallel',
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
      persistentVolumeClaimRetentionPolicy: policy,
    });
    await create('kept', claims({ whenDeleted: 'Delete', whenScaled: 'Delete' }));
    const path = cluster.core('persistentvolumeclaims/data-kept-1');
    const { metadata } = await cluster.until<StatefulSet>(cluster.apps('statefulsets/kept'), () => true);
    const owned = (kind: string) =>
      cluster.until<PersistentVolumeClaim>(
        path,
        (claim) => claim.metadata!.ownerReferences?.[0]?.kind === kind,
      );
    const claim = await owned('StatefulSet');
    expect(claim.metadata).toMatchObject({
      labels: { app: 'kept' },
      ownerReferences: [{ uid: metadata!.uid }],
    });
    await cluster.events('kept', 'create Claim data-kept-1 Pod kept-1 in StatefulSet kept success');
    const pod = await cluster.until<Pod>(cluster.core('pods/kept-1'), () => true);
    expect(pod.spec!.volumes).toContainEqual({
      name: 'data',
      persistentVolumeClaim: { claimName: 'data-kept-1' },
    });
    await cluster.api.merge(cluster.core('pods/kept-1'), {
      metadata: { finalizers: ['test.example.com/wait'] },
    });
    await cluster.api.merge(cluster.apps('statefulsets/kept/scale'), { spec: { replicas: 1 } });
    expect((await owned('Pod')).metadata!.ownerReferences).toMatchObject([
      { name: 'kept-1', uid: pod.metadata!.uid },
    ]);
    await cluster.api.merge(cluster.core('pods/kept-1'), { metadata: { finalizers: null } });
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
    await create('refused');
    const message = `pods is forbidden: User "system:serviceaccount:kube-system:statefulset-controller" cannot create resource "pods" in API group "" in the namespace "${cluster.namespace}"`;
    await cluster.events(
      'refused',
      `FailedCreate: create Pod refused-0 in StatefulSet refused failed error: ${message}`,
    );
    await api.merge(ROLE, { rules: role.rules });
    await until('refused', isRolledOut);
  });
});
