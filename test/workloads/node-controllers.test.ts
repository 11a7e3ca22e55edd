import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Node, Pod } from '../../src/model/generated/core-v1.ts';
import type { ServerOptions } from '../../src/options/options.ts';
import { conditionOf, isReady, SimulatedCluster } from '../nodes/simulated-cluster.ts';

const PODS = '/api/v1/namespaces/default/pods';
const NODES = '/api/v1/nodes';
const UNREACHABLE = 'node.kubernetes.io/unreachable';
const OFFLINE = (value: string | null) => ({
  metadata: { annotations: { 'sim.binnacle.dev/offline': value } },
});
const TOLERATES = {
  tolerations: [{ key: UNREACHABLE, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3 }],
};

const taints = ({ spec }: Node): string[] =>
  (spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);
const hasNoTaints = (node: Node): boolean => isReady(node) && taints(node).length === 0;

const start = (options: ServerOptions = {}): Promise<SimulatedCluster> =>
  SimulatedCluster.start({
    simulateNodes: 2,
    controllers: [
      'serviceaccount-controller',
      'node-lifecycle-controller',
      'taint-eviction-controller',
      'pod-garbage-collector-controller',
      'ttl-controller',
    ],
    ...options,
  });

describe('the controllers of nodes', () => {
  let cluster: SimulatedCluster;
  beforeEach(async () => {
    cluster = await start();
    await cluster.node('node-0', hasNoTaints);
    await cluster.node('node-1', hasNoTaints);
  });
  afterEach(() => cluster.stop());

  it('register a node', async () => {
    const node = await cluster.node(
      'node-0',
      ({ metadata }) => metadata?.annotations?.['node.alpha.kubernetes.io/ttl'] === '0',
    );
    expect(node.metadata?.labels).toMatchObject({
      'beta.kubernetes.io/os': 'linux',
      'beta.kubernetes.io/arch': 'amd64',
    });
    await cluster.until(
      '/api/v1/events?fieldSelector=involvedObject.name=node-0',
      (list: { items?: unknown[] }) => list.items!.length > 0,
    );
    expect(await cluster.events('node-0')).toEqual({
      RegisteredNode: 'Node node-0 event: Registered Node node-0 in Controller',
    });
  });

  it('mark a node whose kubelet is silent, and evict its Pods', async () => {
    await cluster.createPod('goes', TOLERATES);
    await cluster.createPod('stays');
    await cluster.pod('goes', isReady);
    await cluster.pod('stays', isReady);
    await cluster.merge(`${NODES}/node-0`, OFFLINE('true'));
    const silent = await cluster.node('node-0', (node) => conditionOf(node, 'Ready') === 'Unknown', 5);
    expect(silent.status?.conditions).toContainEqual(
      expect.objectContaining({
        type: 'MemoryPressure',
        reason: 'NodeStatusUnknown',
        message: 'Kubelet stopped posting node status.',
      }),
    );
    const tainted = await cluster.node('node-0', (node) => taints(node).length === 2, 1);
    expect(taints(tainted).sort()).toEqual([`${UNREACHABLE}:NoExecute`, `${UNREACHABLE}:NoSchedule`]);
    const goes = await cluster.pod('goes', ({ metadata }) => metadata?.deletionTimestamp !== undefined, 1);
    expect(goes.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager' }),
    );
    await cluster.pod('stays', (pod) => conditionOf(pod, 'Ready') === 'False');
    expect(isReady(await cluster.node('node-1', () => true))).toBe(true);
    await cluster.merge(`${NODES}/node-0`, OFFLINE(null));
    await cluster.node('node-0', hasNoTaints);
    await cluster.pod('stays', isReady);
    await cluster.gone(`${PODS}/goes`);
    await cluster.until(
      '/api/v1/events?fieldSelector=involvedObject.name=goes,reason=TaintManagerEviction',
      (list: { items?: unknown[] }) => list.items!.length > 0,
    );
    expect(await cluster.events('node-0')).toMatchObject({
      NodeNotReady: 'Node node-0 status is now: NodeNotReady',
    });
    expect(await cluster.events('goes')).toEqual({
      NodeNotReady: 'Node is not ready',
      TaintManagerEviction: 'Marking for deletion Pod default/goes',
    });
  });

  it('evict nothing when all nodes are silent', async () => {
    await cluster.createPod('stays', TOLERATES);
    await cluster.pod('stays', isReady);
    for (const name of ['node-0', 'node-1']) await cluster.merge(`${NODES}/${name}`, OFFLINE('true'));
    const isSilent = (node: Node): boolean => conditionOf(node, 'Ready') === 'Unknown';
    for (const name of ['node-0', 'node-1']) await cluster.node(name, isSilent, 5);
    for (const name of ['node-0', 'node-1'])
      await cluster.node(name, (node) => taints(node).includes(`${UNREACHABLE}:NoSchedule`), 5);
    await cluster.clock.advance(60_000);
    await cluster.pod('stays', (pod) => conditionOf(pod, 'Ready') === 'False');
    const pod = (await cluster.send('GET', `${PODS}/stays`)) as Pod;
    expect(pod.metadata?.deletionTimestamp).toBeUndefined();
    expect(taints((await cluster.send('GET', `${NODES}/node-1`)) as Node)).toEqual([
      `${UNREACHABLE}:NoSchedule`,
    ]);
  });

  it('know that nodes are alive over which time has jumped', async () => {
    await cluster.clock.advance(3_600_000);
    await cluster.merge(`${NODES}/node-0`, { spec: { unschedulable: true } });
    const node = await cluster.node('node-0', (one) => taints(one).length > 0);
    expect([isReady(node), taints(node)]).toEqual([true, ['node.kubernetes.io/unschedulable:NoSchedule']]);
    expect(await cluster.events('node-0')).not.toHaveProperty('NodeNotReady');
  });

  it('evict Pods by taints of others, and cancel it', async () => {
    const sick = { key: 'sick', operator: 'Exists', effect: 'NoExecute' };
    await cluster.createPod('goes');
    await cluster.createPod('later', { tolerations: [{ ...sick, tolerationSeconds: 60 }] });
    await cluster.createPod('stays', { tolerations: [sick] });
    for (const name of ['goes', 'later', 'stays']) await cluster.pod(name, isReady);
    await cluster.merge(`${NODES}/node-0`, { spec: { taints: [{ key: 'sick', effect: 'NoExecute' }] } });
    await cluster.gone(`${PODS}/goes`);
    await cluster.merge(`${NODES}/node-0`, { spec: { taints: null } });
    await cluster.until(
      '/api/v1/events?fieldSelector=involvedObject.name=later',
      (list: { items?: unknown[] }) => list.items!.length > 0,
    );
    expect(await cluster.events('later')).toEqual({
      TaintManagerEviction: 'Cancelling deletion of Pod default/later',
    });
    await cluster.clock.advance(120_000);
    for (const name of ['later', 'stays'])
      expect((await cluster.send('GET', `${PODS}/${name}`)).metadata?.deletionTimestamp).toBeUndefined();
  });

  it('collect the Pods of a node that is gone', async () => {
    await cluster.createPod('orphan', {}, { finalizers: ['example.com/held'] });
    await cluster.pod('orphan', isReady);
    await cluster.send('DELETE', `${NODES}/node-0`);
    const pod = await cluster.pod('orphan', ({ metadata }) => metadata?.deletionTimestamp !== undefined, 5);
    expect(pod.status?.phase).toBe('Failed');
    expect(pod.status?.conditions).toContainEqual(
      expect.objectContaining({
        type: 'DisruptionTarget',
        reason: 'DeletionByPodGC',
        message: 'PodGC: node no longer exists',
      }),
    );
  });

  it('collect terminating Pods that were never bound', async () => {
    await cluster.createPod(
      'unbound',
      { nodeName: '', schedulingGates: [{ name: 'wait' }] },
      { finalizers: ['example.com/held'] },
    );
    await cluster.send('DELETE', `${PODS}/unbound`);
    await cluster.pod('unbound', ({ status }) => status?.phase === 'Failed', 5);
  });

  it('leave alone what asks for it', async () => {
    const annotations = { 'sim.binnacle.dev/manage': 'false' };
    await cluster.send('POST', NODES, {
      metadata: { name: 'alone', annotations },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });
    await cluster.clock.advance(300_000);
    await cluster.merge(`${NODES}/node-0`, { spec: { unschedulable: true } });
    await cluster.node('node-0', (node) => taints(node).length > 0);
    const node = await cluster.node('alone', () => true);
    expect([conditionOf(node, 'Ready'), node.metadata?.annotations]).toEqual(['True', annotations]);
  });
});

describe('finished Pods', () => {
  it('are collected beyond a number', async () => {
    const cluster = await start({ terminatedPodGcThreshold: 2 });
    for (const name of ['a', 'b', 'c', 'd']) {
      await cluster.createPod(name, {
        restartPolicy: 'Never',
        containers: [{ name: 'main', image: 'i', command: ['true'] }],
      });
      await cluster.pod(name, ({ status }) => status?.phase === 'Succeeded');
      await cluster.clock.advance(1000);
    }
    await cluster.gone(`${PODS}/a`, 5);
    await cluster.gone(`${PODS}/b`, 5);
    for (const name of ['c', 'd']) await cluster.pod(name, () => true);
    await cluster.stop();
  });
});
