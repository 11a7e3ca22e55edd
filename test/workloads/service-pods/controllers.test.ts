import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoints } from '../../../src/model/generated/core-v1.ts';
import type { EndpointSlice } from '../../../src/model/generated/discovery-v1.ts';
import type { ClusterRole } from '../../../src/model/generated/rbac-v1.ts';
import { isRolledOut, template, WorkloadCluster, workload } from '../workload-cluster.ts';

const ROLE = '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:controller:endpointslice-controller';

const service = (name: string, spec: object = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }], ...spec },
});

describe('the controllers of endpoints', () => {
  let cluster: WorkloadCluster;
  beforeAll(async () => {
    cluster = await WorkloadCluster.start();
  });
  afterAll(() => cluster.cluster.stop());

  const slicesPath = (name: string): string =>
    `/apis/discovery.k8s.io/v1/namespaces/${cluster.namespace}/endpointslices?labelSelector=kubernetes.io/service-name=${name}`;

  /** Resolves with the slices of a Service once they are as expected. */
  const slices = async (
    name: string,
    isSo: (slices: EndpointSlice[]) => boolean,
  ): Promise<EndpointSlice[]> => {
    const list = await cluster.until<{ items: EndpointSlice[] }>(slicesPath(name), ({ items }) =>
      isSo(items),
    );
    return list.items;
  };

  const endpoints = (name: string, isSo: (endpoints: Endpoints) => boolean): Promise<Endpoints> =>
    cluster.until(cluster.core(`endpoints/${name}`), isSo);

  const count = (all: readonly EndpointSlice[]): number =>
    all.reduce((sum, { endpoints: list }) => sum + (list?.length ?? 0), 0);

  const addresses = ({ subsets }: Endpoints): number => subsets?.[0]?.addresses?.length ?? 0;

  it('list the Pods of a Service, follow a rollout and a scale, and go with the Service', async () => {
    const { api } = cluster;
    await api.call('POST', cluster.core('services'), service('web', {}, { labels: { team: 'a' } }));
    const [empty] = await slices('web', (all) => all.length === 1);
    expect([empty!.endpoints, empty!.ports]).toEqual([null, null]);
    await api.call('POST', cluster.apps('deployments'), workload('web', { replicas: 3 }));
    await cluster.deployment('web', isRolledOut);
    const [slice] = await slices('web', (all) => count(all) === 3);
    expect(slice!.metadata).toMatchObject({ name: empty!.metadata!.name, labels: { team: 'a' } });
    expect(slice!.endpoints![0]).toMatchObject({
      conditions: { ready: true, serving: true, terminating: false },
      nodeName: 'node-0',
    });
    const written = await endpoints('web', (one) => addresses(one) === 3);
    expect(written.metadata).toMatchObject({ labels: { team: 'a' } });
    await api.merge(cluster.apps('deployments/web/scale'), { spec: { replicas: 1 } });
    await slices('web', (all) => count(all) === 1);
    await endpoints('web', (one) => addresses(one) === 1);
    await api.call('DELETE', cluster.core('services/web'));
    await slices('web', (all) => all.length === 0);
    await cluster.until<{ items: Endpoints[] }>(cluster.core('endpoints'), ({ items }) => items.length === 0);
  });

  it('correct what others change, and make again what others delete', async () => {
    const { api } = cluster;
    await api.call('POST', cluster.core('services'), service('kept'));
    await api.call('POST', cluster.core('pods'), {
      ...template('kept'),
      metadata: { name: 'kept', labels: { app: 'kept' } },
    });
    const [slice] = await slices('kept', (all) => count(all) === 1);
    const path = `/apis/discovery.k8s.io/v1/namespaces/${cluster.namespace}/endpointslices/${slice!.metadata!.name}`;
    await api.merge(path, { endpoints: [] });
    await slices('kept', (all) => count(all) === 1);
    await api.call('DELETE', path);
    await slices('kept', (all) => count(all) === 1 && all[0]!.metadata!.name !== slice!.metadata!.name);
    await endpoints('kept', (one) => addresses(one) === 1);
    await api.call('DELETE', cluster.core('endpoints/kept'));
    await endpoints('kept', (one) => addresses(one) === 1);
  });

  it('leave Services alone that ask for it', async () => {
    const { api } = cluster;
    const annotations = { 'sim.binnacle.dev/manage': 'false' };
    await api.call('POST', cluster.core('services'), service('alone', {}, { annotations }));
    await api.call('POST', cluster.core('services'), service('other'));
    await slices('other', (all) => all.length === 1);
    await endpoints('other', () => true);
    expect(await api.status(cluster.core('endpoints/alone'))).toBe(404);
    expect((await api.call('GET', slicesPath('alone'))).items).toEqual([]);
    await api.merge(cluster.core('services/alone'), { metadata: { annotations: null } });
    await slices('alone', (all) => all.length === 1);
  });

  it('mirror the Endpoints of a Service without selector until it has one', async () => {
    const { api } = cluster;
    await api.call('POST', cluster.core('services'), service('own', { selector: null }));
    const own = {
      metadata: { name: 'own' },
      subsets: [{ addresses: [{ ip: '10.9.0.1' }], ports: [{ port: 80 }] }],
    };
    await api.call('POST', cluster.core('endpoints'), own);
    const [mirror] = await slices('own', (all) => all.length === 1);
    expect(mirror).toMatchObject({
      metadata: {
        labels: { 'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io' },
      },
      endpoints: [{ addresses: ['10.9.0.1'] }],
    });
    await api.merge(cluster.core('endpoints/own'), {
      subsets: [{ addresses: [{ ip: '10.9.0.1' }, { ip: '10.9.0.2' }], ports: [{ port: 80 }] }],
    });
    await slices('own', (all) => count(all) === 2);
    await api.merge(cluster.core('services/own'), { spec: { selector: { app: 'own' } } });
    await slices(
      'own',
      (all) =>
        all.length === 1 &&
        all[0]!.metadata!.labels!['endpointslice.kubernetes.io/managed-by'] ===
          'endpointslice-controller.k8s.io',
    );
  });

  it('warn of addresses that are too many to be mirrored', async () => {
    const { api } = cluster;
    await api.call('POST', cluster.core('services'), service('large', { selector: null }));
    const ips = Array.from({ length: 1002 }, (_, index) => ({ ip: `10.8.${index >> 8}.${index & 255}` }));
    const large = { metadata: { name: 'large' }, subsets: [{ addresses: ips, ports: [{ port: 80 }] }] };
    await api.call('POST', cluster.core('endpoints'), large);
    await slices('large', (all) => count(all) === 1000);
    await cluster.events(
      'large',
      'TooManyAddressesToMirror: A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints subset. 2 addresses were skipped',
    );
  });

  it('say which Pods are on nodes that do not exist, and list them once the node is there', async () => {
    const { api } = cluster;
    await api.call('POST', cluster.core('pods'), {
      metadata: { name: 'lost', labels: { app: 'lost' } },
      spec: { nodeName: 'nowhere', containers: [{ name: 'main', image: 'app:1' }] },
    });
    await api.merge(cluster.core('pods/lost/status'), {
      status: { phase: 'Running', podIP: '10.7.0.1', podIPs: [{ ip: '10.7.0.1' }] },
    });
    await api.call('POST', cluster.core('services'), service('lost'));
    await cluster.events(
      'lost',
      `FailedToUpdateEndpointSlices: Error updating Endpoint Slices for Service ${cluster.namespace}/lost: skipping Pod lost for Service ${cluster.namespace}/lost: Node nowhere Not Found`,
    );
    await endpoints('lost', ({ subsets }) => subsets?.[0]?.notReadyAddresses?.length === 1);
    await api.call('POST', '/api/v1/nodes', { metadata: { name: 'nowhere' } });
    await slices('lost', (all) => count(all) === 1);
  });

  it('may do what the bootstrap role of the service account says', async () => {
    const { api } = cluster;
    const role = (await api.call('GET', ROLE)) as unknown as ClusterRole;
    const rules = role.rules!.map((rule) =>
      rule.resources!.includes('endpointslices')
        ? { ...rule, verbs: rule.verbs!.filter((verb) => verb !== 'create') }
        : rule,
    );
    await api.merge(ROLE, { rules });
    await api.call('POST', cluster.core('services'), service('refused'));
    await cluster.events(
      'refused',
      `FailedToUpdateEndpointSlices: Error updating Endpoint Slices for Service ${cluster.namespace}/refused: failed to create EndpointSlice for Service ${cluster.namespace}/refused: endpointslices.discovery.k8s.io is forbidden: User "system:serviceaccount:kube-system:endpointslice-controller" cannot create resource "endpointslices" in API group "discovery.k8s.io" in the namespace "${cluster.namespace}"`,
    );
    await api.merge(ROLE, { rules: role.rules });
    await slices('refused', (all) => all.length === 1);
  });
});
