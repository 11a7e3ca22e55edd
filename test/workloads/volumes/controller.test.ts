import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../../src/model/generated/core-v1.ts';
import type { ClusterRole } from '../../../src/model/generated/rbac-v1.ts';
import { isReady } from '../../../src/reconcile/pods/pod-state.ts';
import { WorkloadCluster } from '../workload-cluster.ts';

const VOLUMES = '/api/v1/persistentvolumes';
const CLASSES = '/apis/storage.k8s.io/v1/storageclasses';
const ROLE = '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:controller:persistent-volume-binder';
const SIMULATED = 'volumes.sim.binnacle.dev';

const claim = (name: string, spec: object = {}, annotations: object = {}) => ({
  metadata: { name, annotations },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const volume = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '2Gi' },
    hostPath: { path: `/tmp/${name}` },
    ...spec,
  },
});
const podWith = (name: string, claimName: string) => ({
  metadata: { name },
  spec: {
    containers: [{ name: 'main', image: 'app:1' }],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
  },
});

describe('the controller that binds volumes', () => {
  let cluster: WorkloadCluster;
  beforeAll(async () => {
    cluster = await WorkloadCluster.start();
    // Claims without a class stay without one.
    await vi.waitFor(() => cluster.api.call('DELETE', `${CLASSES}/standard`), { interval: 10 });
  });
  afterAll(() => cluster.cluster.stop());

  const claims = (): string => cluster.core('persistentvolumeclaims');
  const claimIn = (name: string, phase: string): Promise<PersistentVolumeClaim> =>
    cluster.until(`${claims()}/${name}`, ({ status }: PersistentVolumeClaim) => status?.phase === phase);
  const volumeIn = (name: string, phase: string): Promise<PersistentVolume> =>
    cluster.until(`${VOLUMES}/${name}`, ({ status }: PersistentVolume) => status?.phase === phase);
  const isGone = (path: string): Promise<object> =>
    cluster.until(
      `${VOLUMES}?fieldSelector=metadata.name=${path}`,
      ({ items }: { items?: [] }) => items?.length === 0,
    );

  it('binds a volume that comes after its claim, and both say who chose', async () => {
    const { api } = cluster;
    await api.call('POST', claims(), claim('late', { storageClassName: '' }));
    await cluster.events('late', 'FailedBinding: no persistent volumes available for this claim');
    await api.call('POST', VOLUMES, volume('late'));
    const bound = await claimIn('late', 'Bound');
    expect(bound).toMatchObject({
      metadata: {
        annotations: {
          'pv.kubernetes.io/bind-completed': 'yes',
          'pv.kubernetes.io/bound-by-controller': 'yes',
        },
      },
      spec: { volumeName: 'late' },
      status: { accessModes: ['ReadWriteOnce'], capacity: { storage: '2Gi' } },
    });
    const { metadata, spec } = await volumeIn('late', 'Bound');
    expect(metadata!.annotations).toEqual({ 'pv.kubernetes.io/bound-by-controller': 'yes' });
    expect(spec!.claimRef).toMatchObject({ kind: 'PersistentVolumeClaim', uid: bound.metadata!.uid });
  });

  it('makes a volume for the default class that came after the claim, and deletes it with the claim', async () => {
    const { api } = cluster;
    await api.call('POST', claims(), claim('made'));
    await cluster.events('made', 'FailedBinding: no persistent volumes available');
    await api.call('POST', CLASSES, {
      metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: SIMULATED,
    });
    const { metadata, spec } = await claimIn('made', 'Bound');
    const name = `pvc-${metadata!.uid}`;
    expect(spec).toMatchObject({ storageClassName: 'standard', volumeName: name });
    await cluster.events(
      'made',
      `ProvisioningSucceeded: Successfully provisioned volume ${name} using ${SIMULATED}`,
    );
    await api.call('DELETE', `${VOLUMES}/${name}`);
    await api.call('DELETE', `${claims()}/made`);
    await isGone(name);
    await api.call('DELETE', `${CLASSES}/standard`);
  });

  it('makes the volume of a class that waits for a Pod for the node of the Pod', async () => {
    const { api } = cluster;
    await api.call('POST', CLASSES, {
      metadata: { name: 'zoned' },
      provisioner: SIMULATED,
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [
        { matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: ['zone-b'] }] },
      ],
    });
    await api.call('POST', claims(), claim('zoned', { storageClassName: 'zoned' }));
    await cluster.events(
      'zoned',
      'WaitForFirstConsumer: waiting for first consumer to be created before binding',
    );
    await api.call('POST', cluster.core('pods'), podWith('zoned', 'zoned'));
    const pod = await cluster.until(cluster.core('pods/zoned'), (one: Pod) => isReady(one));
    expect(pod.spec!.nodeName).toBe('node-1');
    const { metadata } = await claimIn('zoned', 'Bound');
    expect(metadata!.annotations!['volume.kubernetes.io/selected-node']).toBe('node-1');
    expect(
      (await volumeIn(`pvc-${metadata!.uid}`, 'Bound')).spec!.nodeAffinity!.required!.nodeSelectorTerms,
    ).toEqual([
      { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['zone-b'] }] },
    ]);
  });

  it('recycles a volume for the next claim, and says why one cannot be deleted', async () => {
    const { api } = cluster;
    const spec = { storageClassName: 'again' };
    await api.call('POST', VOLUMES, volume('again', { ...spec, persistentVolumeReclaimPolicy: 'Recycle' }));
    await api.call('POST', claims(), claim('first', spec));
    await claimIn('first', 'Bound');
    await api.call('POST', claims(), claim('second', spec));
    await api.call('DELETE', `${claims()}/first`);
    await claimIn('second', 'Bound');
    await api.merge(`${VOLUMES}/again`, {
      spec: { persistentVolumeReclaimPolicy: 'Delete' },
    });
    await api.call('DELETE', `${claims()}/second`);
    await isGone('again');
    const fixed = { storageClassName: 'fixed', persistentVolumeReclaimPolicy: 'Delete' };
    await api.call('POST', VOLUMES, volume('fixed', { ...fixed, hostPath: { path: '/data' } }));
    await api.call('POST', claims(), claim('third', { storageClassName: 'fixed' }));
    await claimIn('third', 'Bound');
    await api.call('DELETE', `${claims()}/third`);
    expect((await volumeIn('fixed', 'Failed')).status!.message).toBe(
      'host_path deleter only supports /tmp/.+ but received provided /data',
    );
  });

  it('loses the claim whose volume is gone, and finds it again', async () => {
    const { api } = cluster;
    const spec = { storageClassName: 'lost' };
    const created = await api.call('POST', VOLUMES, volume('lost', spec));
    await api.call('POST', claims(), claim('lost', spec));
    await claimIn('lost', 'Bound');
    await api.call('DELETE', `${VOLUMES}/lost`);
    await api.merge(`${VOLUMES}/lost`, { metadata: { finalizers: null } });
    await claimIn('lost', 'Lost');
    await cluster.events(
      'lost',
      'ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!',
    );
    await api.call('POST', VOLUMES, { metadata: { name: 'lost' }, spec: created['spec'] });
    await claimIn('lost', 'Bound');
  });

  it('leaves claims alone that ask for it', async () => {
    const { api } = cluster;
    const spec = { storageClassName: 'alone' };
    await api.call('POST', VOLUMES, volume('alone', spec));
    await volumeIn('alone', 'Available');
    await api.call('POST', claims(), claim('alone', spec, { 'sim.binnacle.dev/manage': 'false' }));
    await api.call('POST', VOLUMES, volume('other', { storageClassName: 'other' }));
    await api.call('POST', claims(), claim('other', { storageClassName: 'other' }));
    await claimIn('other', 'Bound');
    await claimIn('alone', 'Pending');
    await api.merge(`${claims()}/alone`, { metadata: { annotations: null } });
    await claimIn('alone', 'Bound');
  });

  it('may do what the bootstrap role of its service account says', async () => {
    const { api } = cluster;
    const role = (await api.call('GET', ROLE)) as unknown as ClusterRole;
    const rules = role.rules!.map((rule) =>
      rule.resources!.includes('persistentvolumes')
        ? { ...rule, verbs: rule.verbs!.filter((verb) => verb !== 'create') }
        : rule,
    );
    await api.merge(ROLE, { rules });
    await api.call('POST', CLASSES, { metadata: { name: 'refused' }, provisioner: SIMULATED });
    await api.call('POST', claims(), claim('refused', { storageClassName: 'refused' }));
    await cluster.events(
      'refused',
      `ProvisioningFailed: Error creating provisioned PV object for claim ${cluster.namespace}/refused: persistentvolumes is forbidden: User "system:serviceaccount:kube-system:persistent-volume-binder" cannot create resource "persistentvolumes" in API group "" at the cluster scope. Deleting the volume.`,
    );
    await api.merge(ROLE, { rules: role.rules });
    await claimIn('refused', 'Bound');
  });
});
