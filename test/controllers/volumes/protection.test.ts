import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';
import { Api } from '../api.ts';

const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const CONTAINERS = [{ name: 'c', image: 'i' }];

describe('protection of volumes and claims in use', () => {
  let cluster: TestCluster;
  let api: Api;
  let claims: string;
  let pods: string;
  let namespace: string;
  beforeAll(async () => {
    cluster = await startCluster();
    api = new Api(cluster);
    namespace = await cluster.createNamespace();
    claims = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;
    pods = `/api/v1/namespaces/${namespace}/pods`;
  });
  afterAll(() => cluster.stop());

  const createClaim = (name: string, metadata: object = {}) =>
    api.call('POST', claims, { metadata: { name, ...metadata }, spec });
  const createPod = (name: string, volumes: object[], more: object = { nodeName: 'n' }) =>
    api.call('POST', pods, { metadata: { name }, spec: { containers: CONTAINERS, volumes, ...more } });
  const claimVolume = (claimName: string) => ({ name: 'v', persistentVolumeClaim: { claimName } });
  const forceDelete = (name: string) => api.call('DELETE', `${pods}/${name}?gracePeriodSeconds=0`);

  it('deletes a claim that no scheduled pod uses', async () => {
    const claim = await createClaim('unused');
    expect(claim.metadata!.finalizers).toEqual(['kubernetes.io/pvc-protection']);
    await createPod('unscheduled', [claimVolume('unused')], {});
    await api.call('DELETE', `${claims}/unused`);
    await api.gone(claims, 'unused');
  });

  it('deletes a claim after the last pod that uses it', async () => {
    await createClaim('used');
    await createClaim('other');
    await createPod('first', [claimVolume('used')]);
    await createPod('second', [claimVolume('used')]);
    await api.call('DELETE', `${claims}/used`);
    await forceDelete('first');
    // The controller handles the namespace at once: what it does to one claim shows that it has seen the
    // other.
    await api.call('DELETE', `${claims}/other`);
    await api.gone(claims, 'other');
    expect((await api.call('GET', `${claims}/used`)).metadata!.finalizers).toEqual([
      'kubernetes.io/pvc-protection',
    ]);
    await forceDelete('second');
    await api.gone(claims, 'used');
  });

  it('keeps the claim of an ephemeral volume for its controlling pod only', async () => {
    const ephemeral = { name: 'data', ephemeral: { volumeClaimTemplate: { spec } } };
    const owner = await createPod('owner', [ephemeral]);
    await createPod('stranger', [ephemeral]);
    const reference = {
      apiVersion: 'v1',
      kind: 'Pod',
      name: 'owner',
      uid: owner.metadata!.uid,
      controller: true,
    };
    await createClaim('owner-data', { ownerReferences: [reference] });
    await createClaim('stranger-data');
    await api.call('DELETE', `${claims}/owner-data`);
    await api.call('DELETE', `${claims}/stranger-data`);
    await api.gone(claims, 'stranger-data');
    expect(await api.status(`${claims}/owner-data`)).toBe(200);
    await forceDelete('owner');
    await api.gone(claims, 'owner-data');
  });

  it('restores a removed finalizer of a claim', async () => {
    await createClaim('bare');
    const { metadata } = await api.merge(`${claims}/bare`, { metadata: { finalizers: null } });
    await api.seen(
      claims,
      (object) => object.metadata!.name === 'bare' && object.metadata!.finalizers !== undefined,
      metadata!.resourceVersion,
    );
  });

  it('keeps a bound volume', async () => {
    const volumes = '/api/v1/persistentvolumes';
    const volume = {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: '/tmp' },
    };
    for (const name of ['bound', 'free'])
      await api.call('POST', volumes, { metadata: { name }, spec: volume });
    const setPhase = (phase: string) =>
      api.call(
        'PATCH',
        `${volumes}/bound/status`,
        { status: { phase } },
        { 'content-type': 'application/merge-patch+json' },
      );
    await setPhase('Bound');
    await api.call('DELETE', `${volumes}/bound`);
    await api.call('DELETE', `${volumes}/free`);
    await api.gone(volumes, 'free');
    expect((await api.call('GET', `${volumes}/bound`)).metadata!.finalizers).toEqual([
      'kubernetes.io/pv-protection',
    ]);
    await setPhase('Released');
    await api.gone(volumes, 'bound');
  });

  it('deletes a namespace with claims and pods that use them', async () => {
    await createClaim('last');
    await createPod('last', [claimVolume('last')]);
    await api.call('DELETE', `/api/v1/namespaces/${namespace}`);
    await api.gone('/api/v1/namespaces', namespace);
  });
});
