import { afterAll, beforeAll, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/model/object.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { watchUntil } from '../support/watch-until.ts';

const STRATEGIC = 'application/strategic-merge-patch+json';
const MERGE = 'application/merge-patch+json';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster({ featureGates: ['InPlacePodVerticalScaling=true'] });
});
afterAll(() => cluster.stop());

const call = async (method: string, path: string, body?: object, type = 'application/json') => {
  const response = await cluster.fetch(path, {
    method,
    headers: { 'content-type': type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  return { status: response.status, object: (await response.json()) as any };
};

it('lists pods/resize in discovery and OpenAPI', async () => {
  const { object } = await call('GET', '/api/v1');
  expect(object.resources).toContainEqual({
    name: 'pods/resize',
    singularName: '',
    namespaced: true,
    kind: 'Pod',
    verbs: ['get', 'patch', 'update'],
  });
  const { paths } = (await call('GET', '/openapi/v3/api/v1')).object;
  const operations = paths['/api/v1/namespaces/{namespace}/pods/{name}/resize'];
  expect(operations.patch.operationId).toBe('patchCoreV1NamespacedPodResize');
});

it('charges quotas for resizes, and counts the resources that nodes report', async () => {
  const namespace = await cluster.createNamespace();
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const quotas = `/api/v1/namespaces/${namespace}/resourcequotas`;
  const used = (cpu: string) =>
    watchUntil<KubernetesObject>(
      cluster,
      quotas,
      ({ status }) =>
        (status as { used?: Record<string, string> } | undefined)?.used?.['requests.cpu'] === cpu,
    );
  const resources = (cpu: string) => ({ requests: { cpu } });
  const resize = (cpu: string) =>
    call(
      'PATCH',
      `${pods}/p/resize`,
      { spec: { containers: [{ name: 'c', resources: resources(cpu) }] } },
      STRATEGIC,
    );
  await call('POST', quotas, { metadata: { name: 'q' }, spec: { hard: { 'requests.cpu': '3' } } });
  await used('0');
  const spec = { containers: [{ name: 'c', image: 'i', resources: resources('1') }] };
  expect((await call('POST', pods, { metadata: { name: 'p' }, spec })).status).toBe(201);
  await used('1');
  expect((await resize('2')).status).toBe(200);
  await used('2');
  expect((await resize('4')).object.message).toContain(
    'exceeded quota: q, requested: requests.cpu=2, used: requests.cpu=2, limited: requests.cpu=3',
  );
  const containerStatuses = [{ name: 'c', image: 'i', imageID: '', ready: true, restartCount: 0 }];
  const reported = {
    status: { containerStatuses: [{ ...containerStatuses[0], resources: resources('2500m') }] },
  };
  expect((await call('PATCH', `${pods}/p/status`, reported, MERGE)).status).toBe(200);
  await used('2500m');
});
