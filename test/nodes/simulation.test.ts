import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TemporaryDirectory } from '../../src/files/temporary-directory.ts';
import type { Pod } from '../../src/model/generated/core-v1.ts';
import type { KubernetesObject } from '../../src/model/object.ts';
import { isReady, SimulatedCluster } from './simulated-cluster.ts';

const POD = '/api/v1/namespaces/default/pods';
const NODE = '/api/v1/nodes';
const CLASSES = '/apis/storage.k8s.io/v1/storageclasses';
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

describe('a cluster with simulated nodes', () => {
  let cluster: SimulatedCluster;
  beforeAll(async () => {
    cluster = await SimulatedCluster.start({
      simulateNodes: 2,
      serviceClusterIpRange: '10.96.0.0/16,fd00:96::/112',
    });
  });
  afterAll(() => cluster.stop());

  it('has ready nodes with Leases', async () => {
    const node = await cluster.node('node-1', isReady);
    expect(node.metadata).toMatchObject({ annotations: { 'kwok.x-k8s.io/node': 'fake' } });
    const lease = await cluster.send('GET', `${LEASE}/node-1`);
    expect(lease['spec']).toMatchObject({ holderIdentity: 'node-1', leaseDurationSeconds: 40 });
    expect(lease.metadata?.ownerReferences?.[0]?.uid).toBe(node.metadata?.uid);
  });

  it('runs Pods, which the kubelet of their node writes', async () => {
    await cluster.createPod('runs');
    const { metadata, status } = await cluster.pod('runs', isReady);
    expect(status?.podIPs?.map(({ ip }) => ip)).toEqual([
      expect.stringMatching(/^10\.244\.\d+\.\d+$/),
      expect.stringMatching(/^fd00:10:244:\d::\d+$/),
    ]);
    expect(metadata?.managedFields).toContainEqual(
      expect.objectContaining({ manager: 'kubelet', subresource: 'status' }),
    );
  });

  it('removes Pods that are deleted, and keeps those with finalizers', async () => {
    await cluster.createPod('goes');
    await cluster.createPod('held', {}, { finalizers: ['example.com/held'] });
    await cluster.pod('goes', isReady);
    await cluster.pod('held', isReady);
    await cluster.send('DELETE', `${POD}/goes`);
    await cluster.send('DELETE', `${POD}/held`);
    await cluster.gone(`${POD}/goes`);
    const held = await cluster.pod('held', ({ metadata }) => metadata?.deletionGracePeriodSeconds === 0);
    expect(held.status?.phase).toBe('Failed');
    await cluster.merge(`${POD}/held`, { metadata: { finalizers: null } });
    await cluster.gone(`${POD}/held`);
  });

  it('leaves Pods and nodes alone that ask for it', async () => {
    await cluster.createPod('alone', {}, { annotations: { 'sim.binnacle.dev/manage': 'false' } });
    await cluster.send('POST', NODE, {
      metadata: {
        name: 'unmanaged',
        annotations: { 'kwok.x-k8s.io/node': 'fake', 'sim.binnacle.dev/manage': 'false' },
      },
    });
    await cluster.send('POST', NODE, { metadata: { name: 'foreign' } });
    await cluster.createPod('elsewhere', { nodeName: 'foreign' });
    // What comes after them is done.
    await cluster.createPod('after');
    await cluster.pod('after', isReady);
    for (const name of ['alone', 'elsewhere'])
      expect(((await cluster.send('GET', `${POD}/${name}`)) as Pod).status).toEqual({
        phase: 'Pending',
        qosClass: 'BestEffort',
      });
    for (const name of ['unmanaged', 'foreign'])
      expect((await cluster.send('GET', `${NODE}/${name}`))['status']).not.toHaveProperty('conditions');
  });

  it('simulates nodes with the annotation, but not one whose Lease another client holds', async () => {
    const spec = {
      holderIdentity: 'kwok',
      leaseDurationSeconds: 3600,
      renewTime: new Date().toISOString().replace('Z', '000Z'),
    };
    await cluster.send('POST', LEASE, { metadata: { name: 'kwoks' }, spec });
    const annotations = { 'kwok.x-k8s.io/node': 'fake' };
    await cluster.send('POST', NODE, { metadata: { name: 'kwoks', annotations } });
    await cluster.send('POST', NODE, { metadata: { name: 'mine', annotations } });
    await cluster.node('mine', isReady);
    expect((await cluster.send('GET', `${NODE}/kwoks`))['status']).not.toHaveProperty('conditions');
    // The other client gives it up.
    await cluster.merge(`${LEASE}/kwoks`, { spec: { holderIdentity: '' } });
    await cluster.node('kwoks', isReady);
  });

  it('runs the Pods of a node that comes back', async () => {
    await cluster.merge(`${NODE}/node-1`, {
      metadata: { annotations: { 'sim.binnacle.dev/offline': 'true' } },
    });
    await cluster.createPod('waits', { nodeName: 'node-1' });
    await cluster.createPod('meanwhile');
    await cluster.pod('meanwhile', isReady);
    expect(((await cluster.send('GET', `${POD}/waits`)) as Pod).status?.startTime).toBeUndefined();
    await cluster.merge(`${NODE}/node-1`, {
      metadata: { annotations: { 'sim.binnacle.dev/offline': null } },
    });
    await cluster.pod('waits', isReady);
  });

  it('does not create a node again that was deleted, and runs the Pods of another one of its name', async () => {
    await cluster.createPod('moves', { nodeName: 'node-1' });
    await cluster.pod('moves', isReady);
    await cluster.send('DELETE', `${NODE}/node-1`);
    await cluster.createPod('after-deletion');
    await cluster.pod('after-deletion', isReady);
    await cluster.gone(`${NODE}/node-1`);
    await cluster.send('POST', NODE, {
      metadata: { name: 'node-1', annotations: { 'kwok.x-k8s.io/node': 'fake' } },
    });
    const node = await cluster.node('node-1', isReady);
    const address = node.status?.addresses?.[0]?.address;
    const pod = await cluster.pod('moves', ({ status }) => status?.hostIP === address);
    expect(pod.status?.hostIPs).toEqual([{ ip: address }]);
  });

  it('has a default storage class, whose volumes claims without a class get', async () => {
    const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
    const { items } = await cluster.until<{ items: KubernetesObject[] }>(
      CLASSES,
      ({ items }) => items.length > 0,
    );
    expect(items.map(({ metadata, ...rest }) => [metadata?.name, rest['provisioner']])).toEqual([
      ['standard', 'volumes.sim.binnacle.dev'],
    ]);
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const claim = await cluster.send('POST', CLAIMS, { metadata: { name: 'data' }, spec });
    expect(claim['spec']).toMatchObject({ storageClassName: 'standard' });
  });

  it('reports annotations that say nothing', async () => {
    await cluster.createPod('misspelt', {}, { annotations: { 'sim.binnacle.dev/exit-code': 'many' } });
    await cluster.until(
      '/api/v1/events?fieldSelector=involvedObject.name=misspelt',
      (list: { items?: unknown[] }) => list.items!.length > 0,
    );
    expect(await cluster.events('misspelt')).toEqual({
      InvalidSimulation: 'sim.binnacle.dev/exit-code: must be a number from 0 to 255',
    });
  });
});

describe('the default storage class', () => {
  const names = ({ items }: { items: KubernetesObject[] }) =>
    items.map(({ metadata }) => metadata?.name).join();

  it('is that of the configuration file, and is created only where there is none', async () => {
    const directory = new TemporaryDirectory();
    const simulationConfig = directory.path('simulation.json');
    const options = { simulationConfig, storageBackend: 'embedded', dataDir: directory.path('data') };
    for (const [simulateNodes, settings, expected] of [
      [1, {}, ''],
      [2, { 'storage-class': 'fast' }, 'fast'],
      [3, { 'storage-class': 'slow' }, 'fast'],
    ] as const) {
      writeFileSync(simulationConfig, JSON.stringify(settings));
      const cluster = await SimulatedCluster.start({ ...options, simulateNodes });
      await cluster.node(`node-${simulateNodes - 1}`, isReady);
      await cluster.until(CLASSES, (list: { items: KubernetesObject[] }) => names(list) === expected);
      await cluster.stop();
    }
    directory.remove();
  });
});

describe('a cluster whose kubelets write events', () => {
  it('has those of a kubelet', async () => {
    const directory = new TemporaryDirectory();
    const cluster = await SimulatedCluster.start({
      simulationConfig: directory.write('simulation.yaml', 'nodes: 1\nevents: true\n'),
      simulateNodes: undefined,
    });
    await cluster.createPod('runs');
    await cluster.createPod('crashes', { containers: [{ name: 'main', image: 'i:1', command: ['false'] }] });
    await cluster.createPod('pulls', {}, { annotations: { 'sim.binnacle.dev/start': 'image-error' } });
    const path = (name: string): string => `/api/v1/events?fieldSelector=involvedObject.name=${name}`;
    const has = (reason: string) => (list: { items?: readonly { reason: string }[] }) =>
      list.items!.some((event) => event.reason === reason);
    await cluster.until(path('runs'), has('Started'));
    expect(await cluster.events('runs')).toEqual({
      Pulled: 'Container image "app:1" already present on machine',
      Created: 'Created container: main',
      Started: 'Started container main',
    });
    await cluster.until(path('crashes'), has('BackOff'));
    expect((await cluster.events('crashes'))['BackOff']).toMatch(
      /^Back-off restarting failed container main in pod crashes_default\(/,
    );
    await cluster.until(path('pulls'), has('Failed'));
    expect(await cluster.events('pulls')).toMatchObject({ BackOff: 'Back-off pulling image "app:1"' });
    await cluster.until(path('node-0'), has('NodeReady'));
    await cluster.send('DELETE', `${POD}/runs`);
    await cluster.until(path('runs'), has('Killing'));
    await cluster.stop();
    directory.remove();
  });
});
