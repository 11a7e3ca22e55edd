import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StatefulSet } from '../../../src/model/generated/apps-v1.ts';
import type { Job } from '../../../src/model/generated/batch-v1.ts';
import type { Pod } from '../../../src/model/generated/core-v1.ts';
import type { ResourceClaim } from '../../../src/model/generated/resource-v1.ts';
import { isReady } from '../../../src/reconcile/pods/pod-state.ts';
import { isRolledOut, template, WorkloadCluster, workload } from '../workload-cluster.ts';

const DEVICES = '/apis/resource.k8s.io/v1';
const DRIVER = 'gpu.example.com';

/** One device that the selector of the class takes, and one that it does not take. */
const SLICE = {
  driver: DRIVER,
  allNodes: true,
  pool: { name: 'gpus', generation: 1, resourceSliceCount: 1 },
  devices: [
    { name: 'small', attributes: { model: { string: 'small' } } },
    { name: 'large', attributes: { model: { string: 'large' } }, capacity: { memory: { value: '16Gi' } } },
  ],
};
const SELECTORS = [{ cel: { expression: `device.attributes["${DRIVER}"].model == "large"` } }];
const gib = { cel: { expression: `device.capacity["${DRIVER}"].memory.compareTo(quantity("8Gi")) >= 0` } };
const constraints = [{ requests: ['one'], matchAttribute: `${DRIVER}/model` }];

describe.each(['1.34', '1.37'])('a cluster of %s', (kubernetesVersion) => {
  let cluster: WorkloadCluster;
  beforeAll(async () => {
    cluster = await WorkloadCluster.start({ kubernetesVersion });
  });
  afterAll(() => cluster.cluster.stop());

  const devices = (path: string): string => `${DEVICES}/namespaces/${cluster.namespace}/${path}`;
  const podWithTemplate = (name: string, resourceClaimTemplateName: string) =>
    cluster.api.call('POST', cluster.core('pods'), {
      metadata: { name },
      spec: {
        containers: [{ name: 'main', image: 'app:1', resources: { claims: [{ name: 'gpu' }] } }],
        resourceClaims: [{ name: 'gpu', resourceClaimTemplateName }],
      },
    });

  it('rolls out Deployments and StatefulSets, and completes Jobs', async () => {
    const { api } = cluster;
    await api.call('POST', cluster.apps('deployments'), workload('web'));
    await api.call('POST', cluster.apps('statefulsets'), workload('db', { serviceName: 'db' }));
    const { spec, ...rest } = template('once');
    const containers = [{ name: 'main', image: 'app:1', command: ['true'] }];
    await api.call('POST', `/apis/batch/v1/namespaces/${cluster.namespace}/jobs`, {
      metadata: { name: 'once' },
      spec: { template: { ...rest, spec: { ...spec, containers, restartPolicy: 'Never' } } },
    });
    await cluster.deployment('web', isRolledOut);
    await cluster.until(
      cluster.apps('statefulsets/db'),
      ({ status }: StatefulSet) => status?.readyReplicas === 2,
    );
    await cluster.until(
      `/apis/batch/v1/namespaces/${cluster.namespace}/jobs/once`,
      ({ status }: Job) => status?.succeeded === 1,
    );
  });

  it('makes, allocates and frees claims in the version that it serves', async () => {
    const { api } = cluster;
    await api.call('POST', `${DEVICES}/deviceclasses`, {
      metadata: { name: DRIVER },
      spec: { selectors: SELECTORS },
    });
    await api.call('POST', `${DEVICES}/resourceslices`, { metadata: { name: 'gpus' }, spec: SLICE });
    const requests = [{ name: 'one', exactly: { deviceClassName: DRIVER, selectors: [gib] } }];
    await api.call('POST', devices('resourceclaimtemplates'), {
      metadata: { name: 'gpu' },
      spec: { spec: { devices: { requests, constraints } } },
    });
    await podWithTemplate('user', 'gpu');
    const pod = await cluster.until(cluster.core('pods/user'), (pod: Pod) => isReady(pod));
    const [made] = pod.status!.resourceClaimStatuses!;
    const path = devices(`resourceclaims/${made!.resourceClaimName}`);
    const { status } = (await api.call('GET', path)) as ResourceClaim;
    expect(status).toMatchObject({
      reservedFor: [{ resource: 'pods', name: 'user' }],
      allocation: {
        devices: { results: [{ request: 'one', driver: DRIVER, pool: 'gpus', device: 'large' }] },
      },
    });
    await podWithTemplate('second', 'gpu');
    await cluster.events('second', 'cannot allocate all claims');
    await api.call('DELETE', cluster.core('pods/user'));
    await cluster.until(cluster.core('pods/second'), (pod: Pod) => isReady(pod));
  });

  it('allocates the first alternative of a claim for which there are devices', async () => {
    const { api } = cluster;
    await api.call('POST', `${DEVICES}/deviceclasses`, { metadata: { name: 'any.example.com' }, spec: {} });
    const firstAvailable = [
      { name: 'best', deviceClassName: DRIVER },
      { name: 'other', deviceClassName: 'any.example.com' },
    ];
    await api.call('POST', devices('resourceclaimtemplates'), {
      metadata: { name: 'any' },
      spec: { spec: { devices: { requests: [{ name: 'one', firstAvailable }] } } },
    });
    // The only large device is taken.
    await podWithTemplate('choosy', 'any');
    const pod = await cluster.until(cluster.core('pods/choosy'), (pod: Pod) => isReady(pod));
    const [made] = pod.status!.resourceClaimStatuses!;
    const claim = await api.call('GET', devices(`resourceclaims/${made!.resourceClaimName}`));
    expect((claim as ResourceClaim).status!.allocation!.devices!.results).toMatchObject([
      { request: 'one/other', device: 'small' },
    ]);
  });
});
