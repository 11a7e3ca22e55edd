import { afterEach, describe, expect, it } from 'vitest';
import { TemporaryDirectory } from '../../src/files/temporary-directory.ts';
import { Kubelets } from '../../src/nodes/kubelets.ts';
import { isReady, SimulatedCluster } from './simulated-cluster.ts';

const PODS = '/api/v1/namespaces/default/pods';
const AS_NODE = { 'Impersonate-User': 'system:node:node-0', 'Impersonate-Group': 'system:nodes' };

describe('the users of kubelets', () => {
  it('are objects, not names', () => {
    const kubelets = new Kubelets();
    const user = kubelets.createUser('a');
    expect(user).toMatchObject({ name: 'system:node:a', groups: ['system:nodes', 'system:authenticated'] });
    expect([kubelets.hasUser(user), kubelets.hasUser({ ...user })]).toEqual([true, false]);
  });

  it('know which run', () => {
    const kubelets = new Kubelets();
    kubelets.setRunning('a', true);
    expect([kubelets.isRunning('a'), kubelets.isRunning('b')]).toEqual([true, false]);
    kubelets.setRunning('a', false);
    expect(kubelets.isRunning('a')).toBe(false);
  });
});

describe('simulated kubelets', () => {
  let cluster: SimulatedCluster;
  afterEach(() => cluster.stop());

  it('do what a kubelet may with the Node authorizer and NodeRestriction', async () => {
    cluster = await SimulatedCluster.start({
      authorizationMode: ['Node', 'RBAC'],
      enableAdmissionPlugins: ['NodeRestriction'],
    });
    await cluster.node('node-0', isReady);
    await cluster.createPod('runs');
    await cluster.pod('runs', isReady);
    await cluster.send('DELETE', `${PODS}/runs`);
    await cluster.gone(`${PODS}/runs`);
  });

  it('do not give other clients of their names their permissions', async () => {
    cluster = await SimulatedCluster.start();
    await cluster.node('node-0', isReady);
    await cluster.createPod('runs');
    await cluster.pod('runs', isReady);
    const status = await cluster.statusOf('PATCH', `${PODS}/runs/status`, { status: {} }, AS_NODE);
    expect(status).toBe(403);
  });

  it('need no role of nodes: the Node authorizer has rules of its own', async () => {
    cluster = await SimulatedCluster.start({ authorizationMode: ['Node', 'RBAC'] });
    await cluster.node('node-0', isReady);
    await cluster.send('DELETE', '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node');
    await cluster.createPod('runs');
    await cluster.pod('runs', isReady);
  });
});

describe('a restart of the server', () => {
  it('leaves Pods that run as they are, and lets those go on that crash', async () => {
    const directory = new TemporaryDirectory();
    const options = { storageBackend: 'embedded' as const, dataDir: directory.path('data') };
    let cluster = await SimulatedCluster.start(options);
    await cluster.createPod('runs', {
      initContainers: [{ name: 'init', image: 'i:1', command: ['true'] }],
      readinessGates: [{ conditionType: 'example.com/gate' }],
    });
    await cluster.createPod('crashes', { containers: [{ name: 'main', image: 'i:1', command: ['false'] }] });
    await cluster.createPod('ended', {
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: 'i:1', command: ['true'] }],
    });
    await cluster.pod('ended', ({ status }) => status?.phase === 'Succeeded');
    const isCrashing =
      (restarts: number) =>
      (pod: Awaited<ReturnType<typeof cluster.createPod>>): boolean => {
        const [container] = pod.status?.containerStatuses ?? [];
        return (
          container?.restartCount === restarts && container.state?.waiting?.reason === 'CrashLoopBackOff'
        );
      };
    await cluster.pod('crashes', isCrashing(1));
    const before = await cluster.pod('runs', ({ status }) => status?.phase === 'Running');
    const ended = await cluster.pod('ended', () => true);
    await cluster.stop();
    cluster = await SimulatedCluster.start(options);
    await cluster.pod('crashes', isCrashing(2), 1);
    await cluster.createPod('new');
    const { status } = await cluster.pod('new', isReady);
    expect([before.status?.podIP, ended.status?.podIP]).not.toContain(status?.podIP);
    for (const pod of [before, ended]) {
      const { metadata } = await cluster.pod(pod.metadata!.name!, () => true);
      expect(metadata?.resourceVersion).toBe(pod.metadata?.resourceVersion);
    }
    await cluster.stop();
    directory.remove();
  });
});
