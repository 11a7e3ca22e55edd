import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/model/generated/core-v1.ts';
import type { ClusterRole } from '../../../src/model/generated/rbac-v1.ts';
import type { ResourceClaim } from '../../../src/model/generated/resource-v1beta1.ts';
import { isReady } from '../../../src/reconcile/pods/pod-state.ts';
import { WorkloadCluster } from '../workload-cluster.ts';

const DEVICES = '/apis/resource.k8s.io/v1beta1';
const ROLE = '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:controller:resource-claim-controller';
const SLICE = {
  driver: 'gpu.example.com',
  allNodes: true,
  pool: { name: 'gpus', generation: 1, resourceSliceCount: 1 },
  devices: ['0', '1', '2', '3'].map((name) => ({ name: `gpu-${name}`, basic: {} })),
};
const requests = [{ name: 'one', deviceClassName: 'gpu.example.com' }];

describe('the controller of resource claims', () => {
  let cluster: WorkloadCluster;
  beforeAll(async () => {
    cluster = await WorkloadCluster.start({
      featureGates: ['DynamicResourceAllocation=true'],
      runtimeConfig: ['resource.k8s.io/v1beta1=true'],
    });
    const { api } = cluster;
    await api.call('POST', `${DEVICES}/deviceclasses`, { metadata: { name: 'gpu.example.com' }, spec: {} });
    await api.call('POST', `${DEVICES}/resourceslices`, { metadata: { name: 'gpus' }, spec: SLICE });
  });
  afterAll(() => cluster.cluster.stop());

  const claims = (): string => `${DEVICES}/namespaces/${cluster.namespace}/resourceclaims`;
  const templates = (): string => `${DEVICES}/namespaces/${cluster.namespace}/resourceclaimtemplates`;
  const createTemplate = (name: string) =>
    cluster.api.call('POST', templates(), { metadata: { name }, spec: { spec: { devices: { requests } } } });
  const createPod = (name: string, entry: object, spec: object = {}) =>
    cluster.api.call('POST', cluster.core('pods'), {
      metadata: { name },
      spec: {
        containers: [{ name: 'main', image: 'app:1', resources: { claims: [{ name: 'gpu' }] } }],
        resourceClaims: [{ name: 'gpu', ...entry }],
        ...spec,
      },
    });
  const readyPod = (name: string): Promise<Pod> =>
    cluster.until(cluster.core(`pods/${name}`), (pod: Pod) => isReady(pod));
  const claimsAre = (isSo: (items: readonly ResourceClaim[]) => boolean) =>
    cluster.until(claims(), ({ items }: { items?: ResourceClaim[] }) => isSo(items ?? []));

  it('makes the claim of a template, also one that comes later, and the claim goes with the Pod', async () => {
    const { api } = cluster;
    await createPod('early', { resourceClaimTemplateName: 'late' });
    await cluster.events(
      'early',
      'FailedResourceClaimCreation: PodResourceClaim gpu: resource claim template "late": resourceclaimtemplate.resource.k8s.io "late" not found',
    );
    await createTemplate('late');
    const { status } = await readyPod('early');
    const [made] = status!.resourceClaimStatuses!;
    expect(made).toEqual({ name: 'gpu', resourceClaimName: expect.stringMatching(/^early-gpu-\w{5}$/) });
    const claim = (await api.call('GET', `${claims()}/${made!.resourceClaimName}`)) as ResourceClaim;
    expect(claim.status!.reservedFor).toMatchObject([{ resource: 'pods', name: 'early' }]);
    await api.call('DELETE', cluster.core('pods/early'));
    await claimsAre((items) => items.length === 0);
  });

  it('deletes the claim of a Pod that is done', async () => {
    await createTemplate('short');
    await createPod(
      'short',
      { resourceClaimTemplateName: 'short' },
      {
        restartPolicy: 'Never',
        containers: [
          { name: 'main', image: 'app:1', command: ['true'], resources: { claims: [{ name: 'gpu' }] } },
        ],
      },
    );
    await cluster.until(cluster.core('pods/short'), ({ status }: Pod) => status?.phase === 'Succeeded');
    await claimsAre((items) => items.length === 0);
  });

  it('frees a claim after its last user, and reserves it for a Pod that got its node otherwise', async () => {
    const { api } = cluster;
    await api.call('POST', claims(), { metadata: { name: 'shared' }, spec: { devices: { requests } } });
    await createPod('a', { resourceClaimName: 'shared' });
    await readyPod('a');
    await createPod('b', { resourceClaimName: 'shared' }, { nodeName: 'node-1' });
    await claimsAre(([claim]) => claim?.status?.reservedFor?.map(({ name }) => name).join() === 'a,b');
    await api.call('DELETE', cluster.core('pods/a'));
    await claimsAre(([claim]) => claim?.status?.reservedFor?.map(({ name }) => name).join() === 'b');
    await api.call('DELETE', cluster.core('pods/b'));
    await claimsAre(
      ([claim]) => claim?.status?.allocation === undefined && claim?.metadata?.finalizers === undefined,
    );
    await api.call('DELETE', `${claims()}/shared`);
  });

  it('may do what the bootstrap role of its service account says', async () => {
    const { api, namespace } = cluster;
    const role = (await api.call('GET', ROLE)) as unknown as ClusterRole;
    const rules = role.rules!.map((rule) =>
      rule.resources!.includes('resourceclaims')
        ? { ...rule, verbs: rule.verbs!.filter((verb) => verb !== 'create') }
        : rule,
    );
    await api.merge(ROLE, { rules });
    await createTemplate('refused');
    await createPod('refused', { resourceClaimTemplateName: 'refused' });
    await cluster.events(
      'refused',
      `FailedResourceClaimCreation: PodResourceClaim gpu: create ResourceClaim : resourceclaims.resource.k8s.io is forbidden: User "system:serviceaccount:kube-system:resource-claim-controller" cannot create resource "resourceclaims" in API group "resource.k8s.io" in the namespace "${namespace}"`,
    );
    await api.merge(ROLE, { rules: role.rules });
    await readyPod('refused');
  });
});
