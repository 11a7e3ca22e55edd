import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';

const MERGE = 'application/merge-patch+json';
const core = '/api/v1/namespaces/n';
const apps = '/apis/apps/v1/namespaces/n';
const storage = '/apis/storage.k8s.io/v1';

let server: SmallServer;
beforeEach(() => {
  server = smallServer({ storage: createMemoryStorage() });
});
afterEach(() => server.close());

/** The fields of the errors of an answer, in order. */
const causesOf = ({ details }: { details?: { causes?: { field: string; message: string }[] } }) =>
  (details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);

async function patched(path: string, object: object, patch: object): Promise<string[]> {
  const created = await server.send('POST', path, { metadata: { name: 'x' }, ...object });
  expect(created.status).toBe(201);
  return causesOf((await server.send('PATCH', `${path}/x`, patch, MERGE)).object);
}

const labels = { a: 'b' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const workload = { spec: { selector: { matchLabels: labels }, template } };

it.each([`${apps}/replicasets`, `${apps}/daemonsets`])('%s repeats the errors of an update', async (path) => {
  const patch = { spec: { template: { spec: { containers: [{ name: 'c', image: '' }] } } } };
  expect(await patched(path, workload, patch)).toEqual(
    Array(2).fill('spec.template.spec.containers[0].image: Required value'),
  );
});

it('replication controllers repeat the errors of an update', async () => {
  const object = { spec: { selector: labels, template } };
  expect(await patched(`${core}/replicationcontrollers`, object, { spec: { replicas: -1 } })).toEqual(
    Array(2).fill('spec.replicas: Invalid value: -1: must be greater than or equal to 0'),
  );
});

it('CSI nodes, attachments and claims repeat the errors of an update', async () => {
  const driver = { name: 'a.b', nodeID: 'i', topologyKeys: ['a'] };
  expect(
    await patched(
      `${storage}/csinodes`,
      { spec: { drivers: [driver] } },
      { spec: { drivers: [driver, { ...driver, name: 'c.d', nodeID: '' }] } },
    ),
  ).toEqual(Array(2).fill('spec.drivers[1].nodeID: Required value'));
  const attached = { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'p' } } };
  const detach = { spec: { source: { persistentVolumeName: null } } };
  expect(await patched(`${storage}/volumeattachments`, attached, detach)).toEqual([
    ...Array(2).fill(
      'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
    ),
    expect.stringContaining('field is immutable'),
  ]);
  const claim = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } };
  const shrink = { spec: { resources: { requests: { storage: null } } } };
  expect((await patched(`${core}/persistentvolumeclaims`, claim, shrink)).slice(0, 2)).toEqual(
    Array(2).fill('spec.resources[storage]: Required value'),
  );
});

it('a load balancer class is validated twice when it changes', async () => {
  const spec = { type: 'LoadBalancer', ports: [{ port: 1 }], loadBalancerClass: 'a.b/c' };
  const causes = await patched(`${core}/services`, { spec }, { spec: { loadBalancerClass: 'A b' } });
  expect(causes).toHaveLength(3);
  expect(causes[0]).toContain('may not change once set');
});

it('ports of Services: name, port and target port first, then node ports, then duplicates', async () => {
  const spec = {
    ports: [{ port: 1, nodePort: 30_001 }, { port: 0 }, { port: 1, name: 'a' }],
    selector: { a: '-' },
  };
  const { object } = await server.send('POST', `${core}/services`, { metadata: { name: 's' }, spec });
  expect(causesOf(object).map((text) => text.split(': ')[0])).toEqual([
    'spec.ports[0].name',
    'spec.ports[1].name',
    'spec.ports[1].port',
    'spec.ports[1].targetPort',
    'spec.selector',
    'spec.ports[0].nodePort',
    'spec.ports[2]',
  ]);
});

it('a dry run does not look whether an address is free', async () => {
  const service = (name: string) => ({
    metadata: { name },
    spec: { clusterIP: '10.0.0.9', ports: [{ port: 1 }] },
  });
  await server.send('POST', `${core}/services`, service('a'));
  expect((await server.send('POST', `${core}/services?dryRun=All`, service('b'))).status).toBe(201);
  expect((await server.send('POST', `${core}/services`, service('b'))).status).toBe(422);
});

it('equal topologies are reported by pairs', async () => {
  const topology = (value: string) => ({ matchLabelExpressions: [{ key: 'a', values: [value] }] });
  const duplicatesOf = async (...allowedTopologies: object[]) => {
    const { object } = await server.send('POST', `${storage}/storageclasses?dryRun=All`, {
      metadata: { name: 's' },
      provisioner: 'a',
      allowedTopologies,
    });
    return causesOf(object).map((text) => text.split('.')[0]);
  };
  expect(await duplicatesOf(topology('x'), topology('x'), topology('x'))).toEqual(
    ['[1]', '[2]', '[2]'].map((index) => `allowedTopologies${index}`),
  );
  expect(await duplicatesOf(topology('x'), {})).toEqual(Array(2).fill('allowedTopologies[1]'));
});

it('members that are no pointers are shown as empty text when they are removed', async () => {
  const handler = await patched('/apis/node.k8s.io/v1/runtimeclasses', { handler: 'h' }, { handler: null });
  expect(handler.at(-1)).toBe('handler: Invalid value: "": field is immutable');
  const path = `${storage}/namespaces/n/csistoragecapacities`;
  const capacity = await patched(path, { storageClassName: 's' }, { storageClassName: null });
  expect(capacity.at(-1)).toBe('storageClassName: Invalid value: "": field is immutable');
  const slices = '/apis/discovery.k8s.io/v1/namespaces/n/endpointslices';
  const type = await patched(slices, { addressType: 'IPv4', endpoints: [] }, { addressType: null });
  expect(type.at(-1)).toBe('addressType: Invalid value: "": field is immutable');
});

it('the controller of an ingress class is immutable before it is malformed', async () => {
  const path = '/apis/networking.k8s.io/v1/ingressclasses';
  expect(await patched(path, { spec: { controller: 'a.b/c' } }, { spec: { controller: '' } })).toEqual([
    'spec.controller: Invalid value: "": field is immutable',
    'spec.controller: Required value',
  ]);
});

it('inline volumes: what is absent or forbidden first, the class last', async () => {
  const inlineVolumeSpec = { claimRef: {}, storageClassName: 's', nfs: { server: 'a', path: 'b' } };
  const { object } = await server.send('POST', `${storage}/volumeattachments`, {
    metadata: { name: 'v' },
    spec: { attacher: 'a', nodeName: 'n', source: { inlineVolumeSpec } },
  });
  expect(
    causesOf(object).map((text) => text.split(': ')[0]!.replace('spec.source.inlineVolumeSpec.', '')),
  ).toEqual(['claimRef', 'csi', 'accessModes', 'nfs.path', 'storageClassName']);
});
