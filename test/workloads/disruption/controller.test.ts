import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/model/generated/core-v1.ts';
import type { PodDisruptionBudget } from '../../../src/model/generated/policy-v1.ts';
import type { ClusterRole } from '../../../src/model/generated/rbac-v1.ts';
import { formatTime } from '../../../src/model/time.ts';
import { template, WorkloadCluster, workload } from '../workload-cluster.ts';

const ROLE = '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:controller:disruption-controller';
const DEFINITION = {
  metadata: { name: 'fleets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'fleets', kind: 'Fleet' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        subresources: {
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
      },
    ],
  },
};

describe('the controller of PodDisruptionBudgets', () => {
  let cluster: WorkloadCluster;
  beforeAll(async () => {
    cluster = await WorkloadCluster.start();
  });
  afterAll(() => cluster.cluster.stop());

  const path = (name = ''): string =>
    `/apis/policy/v1/namespaces/${cluster.namespace}/poddisruptionbudgets${name && `/${name}`}`;
  const create = (name: string, spec: object) =>
    cluster.api.call('POST', path(), {
      metadata: { name },
      spec: { selector: { matchLabels: { app: name } }, ...spec },
    });
  const until = (name: string, isSo: (budget: PodDisruptionBudget) => boolean) =>
    cluster.until<PodDisruptionBudget>(path(name), isSo);
  const createPod = (name: string, app: string, metadata: object = {}) =>
    cluster.api.call('POST', cluster.core('pods'), {
      ...template(app),
      metadata: { name, labels: { app }, ...metadata },
    });

  it('counts the Pods that a Deployment wants, and allows evictions until too few are left', async () => {
    await create('web', { maxUnavailable: '30%' });
    await cluster.api.call('POST', cluster.apps('deployments'), workload('web', { replicas: 3 }));
    const { status } = await until('web', (budget) => budget.status?.disruptionsAllowed === 1);
    expect(status).toMatchObject({
      expectedPods: 3,
      currentHealthy: 3,
      desiredHealthy: 2,
      observedGeneration: 1,
    });
    const [{ metadata: { name } = {} } = {}] = await cluster.pods('app=web');
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
    await cluster.api.call('POST', cluster.core(`pods/${name}/eviction`), eviction);
    await until(
      'web',
      (budget) => budget.status?.disruptionsAllowed === 1 && budget.status.disruptedPods === undefined,
    );
    expect((await cluster.pods('app=web')).some((pod) => pod.metadata!.name === name)).toBe(false);
  });

  it('asks the scale of a custom kind that controls Pods, and says what it cannot find', async () => {
    await cluster.api.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', DEFINITION);
    const fleets = `/apis/example.com/v1/namespaces/${cluster.namespace}/fleets`;
    await cluster.until(fleets, () => true);
    const fleet = await cluster.api.call('POST', fleets, {
      apiVersion: 'example.com/v1',
      kind: 'Fleet',
      metadata: { name: 'f' },
      spec: { replicas: 4 },
    });
    const owner = {
      apiVersion: 'example.com/v1',
      kind: 'Fleet',
      name: 'f',
      uid: fleet.metadata!.uid,
      controller: true,
    };
    await createPod('owned', 'fleet', { ownerReferences: [owner] });
    await create('fleet', { minAvailable: '50%' });
    const { status } = await until('fleet', (budget) => budget.status?.expectedPods === 4);
    expect(status).toMatchObject({ desiredHealthy: 2, disruptionsAllowed: 0 });
    await createPod('strange', 'strange', { ownerReferences: [{ ...owner, kind: 'Other' }] });
    await create('strange', { maxUnavailable: 1 });
    const failed = await until('strange', (budget) => budget.status?.conditions !== undefined);
    const message = 'no matches for kind "Other" in version "example.com/v1"';
    expect(failed.status!.conditions).toMatchObject([{ status: 'False', reason: 'SyncFailed', message }]);
    await cluster.events(
      'strange',
      `CalculateExpectedPodCountFailed: Failed to calculate the number of expected pods: ${message}`,
    );
  });

  it('reports Pods that nothing controls, budgets without Pods, and Pods with several budgets', async () => {
    await create('none', { minAvailable: 1 });
    await cluster.events('none', 'NoPods: No matching pods found');
    await create('lone', { maxUnavailable: 1 });
    await createPod('lone', 'lone');
    await cluster.events(
      'lone',
      'UnmanagedPods: Pods selected by this PodDisruptionBudget (selector: &LabelSelector{MatchLabels:map[string]string{app: lone,}',
    );
    await create('twice', { minAvailable: 0, selector: { matchLabels: { app: 'lone' } } });
    await cluster.api.merge(cluster.core('pods/lone'), { metadata: { annotations: { a: 'b' } } });
    await cluster.events(
      'lone',
      `Pod "${cluster.namespace}"/"lone" matches multiple PodDisruptionBudgets.  Chose "lone" arbitrarily.`,
    );
  });

  it('takes back that a Pod is about to be deleted', async () => {
    await createPod('spared', 'spared');
    const pod = cluster.core('pods/spared');
    await cluster.until<Pod>(pod, ({ status }) => status?.phase === 'Running');
    const { status } = (await cluster.api.call('GET', pod)) as Pod;
    const lastTransitionTime = formatTime(Date.now() - 121_000);
    const conditions = [
      ...status!.conditions!,
      { type: 'DisruptionTarget', status: 'True', reason: 'Test', lastTransitionTime },
    ];
    await cluster.api.merge(`${pod}/status`, { status: { conditions } });
    const reset = await cluster.until<Pod>(pod, (one) =>
      one.status!.conditions!.some(
        (condition) => condition.type === 'DisruptionTarget' && condition.status === 'False',
      ),
    );
    expect(reset.status!.conditions!.find(({ type }) => type === 'Ready')?.status).toBe('True');
  });

  it('may do what the bootstrap role of its service account says', async () => {
    const { api } = cluster;
    const role = (await api.call('GET', ROLE)) as unknown as ClusterRole;
    const rules = role.rules!.filter(({ resources }) => !resources!.includes('*/scale'));
    await api.merge(ROLE, { rules });
    const owner = { apiVersion: 'example.com/v1', kind: 'Fleet', name: 'f', uid: 'u', controller: true };
    await createPod('refused', 'refused', { ownerReferences: [owner] });
    await create('refused', { maxUnavailable: 1 });
    await cluster.events(
      'refused',
      `fleets.example.com "f" is forbidden: User "system:serviceaccount:kube-system:disruption-controller" cannot get resource "fleets/scale" in API group "example.com" in the namespace "${cluster.namespace}"`,
    );
    await api.merge(ROLE, { rules: role.rules });
  });
});
