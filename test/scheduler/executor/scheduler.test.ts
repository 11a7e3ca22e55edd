import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Pod } from '../../../src/model/generated/core-v1.ts';
import type { SimulatedCluster } from '../../nodes/simulated-cluster.ts';
import {
  createNode,
  createWaiting,
  isOn,
  isRejected,
  messageOf,
  needing,
  startScheduled,
} from './scheduled-cluster.ts';

const PODS = '/api/v1/namespaces/default/pods';

let cluster: SimulatedCluster;
beforeEach(async () => {
  cluster = await startScheduled();
});
afterEach(() => cluster.stop());

const get = async (name: string): Promise<Pod> => (await cluster.send('GET', `${PODS}/${name}`)) as Pod;
const eventOf = (name: string, reason: string): Promise<string> =>
  vi.waitFor(
    async () => {
      const message = (await cluster.events(name))[reason];
      if (message === undefined) throw new Error(`no ${reason}`);
      return message;
    },
    { interval: 10 },
  );

describe('a pod', () => {
  it('gets a node, with a condition and an event', async () => {
    await createNode(cluster, 'one');
    await createWaiting(cluster, 'pod');
    const pod = await cluster.pod('pod', isOn('one'));
    expect(pod.status?.conditions).toMatchObject([{ type: 'PodScheduled', status: 'True' }]);
    expect(await eventOf('pod', 'Scheduled')).toBe('Successfully assigned default/pod to one');
    const { items } = await cluster.send('GET', '/apis/events.k8s.io/v1/namespaces/default/events');
    expect(items).toMatchObject([
      {
        action: 'Binding',
        reason: 'Scheduled',
        reportingController: 'default-scheduler',
        regarding: { kind: 'Pod', name: 'pod', uid: pod.metadata?.uid },
      },
    ]);
  });

  it('is told why it gets none, and gets one when that changes', async () => {
    await createWaiting(cluster, 'pod', needing('2'));
    const first = await cluster.pod('pod', isRejected);
    expect(messageOf(first)).toBe('no nodes available to schedule pods');
    expect(first.status?.conditions).toMatchObject([{ status: 'False', reason: 'Unschedulable' }]);
    await createNode(cluster, 'small');
    const second = await cluster.pod('pod', (pod) => messageOf(pod) !== messageOf(first), 1);
    expect(messageOf(second)).toBe(
      '0/1 nodes are available: 1 Insufficient cpu. ' +
        'preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
    );
    await createNode(cluster, 'large', { status: { allocatable: { cpu: '4', memory: '1Gi', pods: '10' } } });
    await cluster.pod('pod', isOn('large'), 1);
    expect(await eventOf('pod', 'FailedScheduling')).toContain('nodes');
  });

  it('comes first if its priority is higher', async () => {
    for (const [name, value] of [
      ['low', 1],
      ['high', 2],
    ] as const)
      await cluster.send('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', {
        metadata: { name },
        value,
        preemptionPolicy: 'Never',
      });
    await createWaiting(cluster, 'low', { ...needing('1'), priorityClassName: 'low' });
    await createWaiting(cluster, 'high', { ...needing('1'), priorityClassName: 'high' });
    for (const name of ['low', 'high']) await cluster.pod(name, isRejected);
    await createNode(cluster, 'one');
    await cluster.pod('high', isOn('one'), 1);
    expect(messageOf(await cluster.pod('low', isRejected))).toBeDefined();
  });

  it('waits behind its gates without being tried', async () => {
    await createNode(cluster, 'one');
    await createWaiting(cluster, 'gated', { schedulingGates: [{ name: 'example.com/wait' }] });
    await createWaiting(cluster, 'other');
    await cluster.pod('other', isOn('one'));
    expect((await get('gated')).status?.conditions).toMatchObject([{ reason: 'SchedulingGated' }]);
    await cluster.merge(`${PODS}/gated`, { spec: { schedulingGates: null } });
    await cluster.pod('gated', isOn('one'));
    expect(await cluster.events('gated')).not.toHaveProperty('FailedScheduling');
  });

  it('of another scheduler, or of somebody who asks for it, is left alone', async () => {
    await createNode(cluster, 'one');
    await createWaiting(cluster, 'foreign', { schedulerName: 'other' });
    const annotations = { 'sim.binnacle.dev/manage': 'false' };
    await createWaiting(cluster, 'kept', {}, { annotations });
    await createWaiting(cluster, 'last');
    await cluster.pod('last', isOn('one'));
    for (const name of ['foreign', 'kept']) expect((await get(name)).spec?.nodeName).toBeUndefined();
    await cluster.merge(`${PODS}/kept`, { metadata: { annotations: null } });
    await cluster.pod('kept', isOn('one'));
  });

  it('does not share with others what one of them has', async () => {
    await createNode(cluster, 'one');
    for (const name of ['a', 'b', 'c', 'd', 'e']) await createWaiting(cluster, name, needing('400m'));
    const bound = async (): Promise<Pod[]> => {
      const { items } = await cluster.send('GET', PODS);
      return (items as Pod[]).filter(({ spec }) => spec?.nodeName === 'one');
    };
    await vi.waitFor(async () => expect(await bound()).toHaveLength(2), { interval: 10 });
    const { items } = await cluster.send('GET', PODS);
    const waiting = (items as Pod[]).filter(({ spec }) => spec?.nodeName === undefined);
    for (const { metadata } of waiting) await cluster.pod(metadata!.name!, isRejected);
    const [{ metadata } = {}] = await bound();
    await cluster.send('DELETE', `${PODS}/${metadata!.name}?gracePeriodSeconds=0`);
    await vi.waitFor(
      async () => {
        await cluster.clock.advance(1000);
        expect(await bound()).toHaveLength(2);
      },
      { interval: 10 },
    );
  });
});

describe('a binding that is refused', () => {
  const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
  const BINDINGS = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';

  it('gives the room back, is reported, and tried again', async () => {
    await createNode(cluster, 'one');
    await cluster.send('POST', POLICIES, {
      metadata: { name: 'refuse' },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods/binding'] },
          ],
        },
        validations: [{ expression: '!object.metadata.name.startsWith("refused")', message: 'refused here' }],
      },
    });
    await cluster.send('POST', BINDINGS, {
      metadata: { name: 'refuse' },
      spec: { policyName: 'refuse', validationActions: ['Deny'] },
    });
    // A policy is effective some time after its creation.
    await createWaiting(cluster, 'refused-probe', { schedulerName: 'other' });
    const binding = { metadata: { name: 'refused-probe' }, target: { name: 'one' } };
    await vi.waitFor(
      () =>
        expect(cluster.send('POST', `${PODS}/refused-probe/binding?dryRun=All`, binding)).rejects.toThrow(
          'refused here',
        ),
      { interval: 10 },
    );
    await createWaiting(cluster, 'refused', needing('1'));
    const pod = await cluster.pod('refused', isRejected);
    expect(pod.status?.conditions).toMatchObject([{ status: 'False', reason: 'SchedulerError' }]);
    expect(messageOf(pod)).toMatch(/^running Bind plugin "DefaultBinder": .*refused here/);
    await createWaiting(cluster, 'other', needing('1'));
    await cluster.pod('other', isOn('one'));
    await cluster.send('DELETE', `${PODS}/other?gracePeriodSeconds=0`);
    await cluster.send('DELETE', `${BINDINGS}/refuse`);
    await cluster.pod('refused', isOn('one'), 1);
  });
});

describe('preemption', () => {
  it('evicts a pod of lower priority, and nominates', async () => {
    await createNode(cluster, 'one');
    await cluster.send('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', {
      metadata: { name: 'high' },
      value: 100,
    });
    // A finalizer keeps the victim, so that its end can be seen.
    await createWaiting(cluster, 'victim', needing('1'), { finalizers: ['example.com/seen'] });
    await cluster.pod('victim', isOn('one'));
    await createWaiting(cluster, 'high', { ...needing('1'), priorityClassName: 'high' });
    const high = await cluster.pod('high', ({ status }) => status?.nominatedNodeName === 'one');
    expect(messageOf(high)).toContain('1 Insufficient cpu');
    const victim = await cluster.pod('victim', ({ metadata }) => metadata?.deletionTimestamp !== undefined);
    expect(victim.status?.conditions).toContainEqual(
      expect.objectContaining({
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'PreemptionByScheduler',
        message: 'default-scheduler: preempting to accommodate a higher priority pod',
      }),
    );
    expect(await eventOf('victim', 'Preempted')).toBe(`Preempted by pod ${high.metadata?.uid} on node one`);
    // The room is kept for the nominated pod.
    await createWaiting(cluster, 'low', needing('500m'));
    await cluster.pod('low', isRejected);
    await cluster.merge(`${PODS}/victim`, { metadata: { finalizers: null } });
    await cluster.send('DELETE', `${PODS}/victim?gracePeriodSeconds=0`).catch(() => undefined);
    await cluster.pod('high', isOn('one'), 1);
    expect((await get('low')).spec?.nodeName).toBeUndefined();
  });
});

describe('beside another scheduler', () => {
  it('stands down while that one holds its Lease', async () => {
    await createNode(cluster, 'one');
    await createWaiting(cluster, 'before');
    await cluster.pod('before', isOn('one'));
    const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
    await cluster.send('POST', lease, {
      metadata: { name: 'kube-scheduler' },
      spec: {
        holderIdentity: 'another',
        leaseDurationSeconds: 3600,
        renewTime: new Date(cluster.clock.now()).toISOString().replace('Z', '000Z'),
      },
    });
    await createWaiting(cluster, 'during');
    await createWaiting(cluster, 'own', { nodeName: 'one' });
    await cluster.pod('own', isOn('one'));
    expect((await get('during')).status?.conditions).toBeUndefined();
    await cluster.send('DELETE', `${lease}/kube-scheduler`);
    await cluster.pod('during', isOn('one'));
  });
});
