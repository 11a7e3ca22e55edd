import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ControllerRevision, DaemonSet } from '../../../src/model/generated/apps-v1.ts';
import type { ClusterRole } from '../../../src/model/generated/rbac-v1.ts';
import { WorkloadCluster } from '../workload-cluster.ts';

const ROLE = '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:controller:daemon-set-controller';

const template = (app: string, image = 'app:1') => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'main', image }], terminationGracePeriodSeconds: 1 },
});

const daemonSet = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { selector: { matchLabels: { app: name } }, template: template(name), ...spec },
});

/** Whether all nodes have an available Pod of the present template, as `kubectl rollout status` reads it. */
const isRolledOut = ({ metadata, status }: DaemonSet): boolean =>
  status?.observedGeneration === metadata?.generation &&
  status?.desiredNumberScheduled === 2 &&
  status.updatedNumberScheduled === 2 &&
  status.numberAvailable === 2;

describe('the controller of DaemonSets', () => {
  let cluster: WorkloadCluster;
  beforeAll(async () => {
    cluster = await WorkloadCluster.start();
  });
  afterAll(() => cluster.cluster.stop());

  const create = (name: string, spec: object = {}) =>
    cluster.api.call('POST', cluster.apps('daemonsets'), daemonSet(name, spec));
  const until = (name: string, isSo: (set: DaemonSet) => boolean): Promise<DaemonSet> =>
    cluster.until(cluster.apps(`daemonsets/${name}`), isSo);

  it('has a Pod on each node, and replaces them for a new template', async () => {
    await create('agent');
    const { status } = await until('agent', isRolledOut);
    expect(status).toEqual({
      currentNumberScheduled: 2,
      numberMisscheduled: 0,
      desiredNumberScheduled: 2,
      numberReady: 2,
      observedGeneration: 1,
      updatedNumberScheduled: 2,
      numberAvailable: 2,
    });
    const pods = await cluster.pods('app=agent');
    expect(pods.map(({ spec }) => spec!.nodeName).sort()).toEqual(['node-0', 'node-1']);
    const [{ metadata } = {}] = pods;
    expect(metadata!.labels).toMatchObject({
      'controller-revision-hash': expect.stringMatching(/./),
      'pod-template-generation': '1',
    });
    await cluster.events('agent', `SuccessfulCreate: Created pod: ${metadata!.name}`);
    await cluster.api.merge(cluster.apps('daemonsets/agent'), {
      spec: { template: template('agent', 'app:2') },
    });
    await until('agent', (set) => set.metadata!.generation === 2 && isRolledOut(set));
    for (const { spec } of await cluster.pods('app=agent')) expect(spec!.containers![0]!.image).toBe('app:2');
    const { items } = await cluster.api.call(
      'GET',
      cluster.apps('controllerrevisions?labelSelector=app%3Dagent'),
    );
    expect((items as unknown as ControllerRevision[]).map(({ revision }) => Number(revision)).sort()).toEqual(
      [1, 2],
    );
  });

  it('looks at a revision that another client makes for a set with the next change', async () => {
    await create('recorded');
    await until('recorded', isRolledOut);
    await cluster.cluster.quiescent();
    const path = cluster.apps('controllerrevisions?labelSelector=app%3Drecorded');
    const revisions = async () =>
      (await cluster.api.call('GET', path)).items as unknown as ControllerRevision[];
    const [first] = await revisions();
    const { labels, ownerReferences } = first!.metadata!;
    await cluster.api.call('POST', cluster.apps('controllerrevisions'), {
      metadata: { name: 'recorded-again', labels, ownerReferences },
      data: first!.data,
      revision: 2,
    });
    await cluster.cluster.quiescent();
    expect(await revisions()).toHaveLength(2);
    await cluster.api.merge(cluster.apps('daemonsets/recorded'), {
      metadata: { labels: { changed: 'yes' } },
    });
    await vi.waitFor(async () => expect(await revisions()).toHaveLength(1), { interval: 10 });
  });

  it('follows the labels and taints of nodes', async () => {
    await create('chosen', {
      template: {
        ...template('chosen'),
        spec: { ...template('chosen').spec, nodeSelector: { disk: 'ssd' } },
      },
    });
    await until('chosen', ({ status }) => status?.observedGeneration === 1);
    expect(await cluster.pods('app=chosen')).toEqual([]);
    await cluster.api.merge('/api/v1/nodes/node-1', { metadata: { labels: { disk: 'ssd' } } });
    await until('chosen', ({ status }) => status?.numberAvailable === 1);
    await cluster.api.merge('/api/v1/nodes/node-1', { metadata: { labels: { disk: null } } });
    await until(
      'chosen',
      ({ status }) => status?.desiredNumberScheduled === 0 && status.numberMisscheduled === 0,
    );
    expect(await cluster.pods('app=chosen')).toEqual([]);
  });

  it('replaces a Pod that has failed, and reports it', async () => {
    await create('broken');
    await until('broken', isRolledOut);
    const [{ metadata } = {}] = await cluster.pods('app=broken');
    await cluster.api.merge(cluster.core(`pods/${metadata!.name}`), {
      metadata: { annotations: { 'sim.binnacle.dev/fail': 'Told' } },
    });
    await cluster.events('broken', `Found failed daemon pod ${cluster.namespace}/${metadata!.name} on node`);
    await until('broken', isRolledOut);
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
    const message = `pods is forbidden: User "system:serviceaccount:kube-system:daemon-set-controller" cannot create resource "pods" in API group "" in the namespace "${cluster.namespace}"`;
    await cluster.events('refused', `FailedCreate: Error creating: ${message}`);
    await api.merge(ROLE, { rules: role.rules });
    await until('refused', isRolledOut);
  });
});
