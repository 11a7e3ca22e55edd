import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

const podSpec = { containers: [{ name: 'c', image: 'i' }] };
const labels = { a: 'b' };
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const pods = '/api/v1/namespaces/default/pods';

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startCluster();
  await cluster.fetch(deployments, {
    method: 'POST',
    body: {
      metadata: { name: 'd' },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
    },
  });
  await cluster.fetch(pods, { method: 'POST', body: { metadata: { name: 'p' }, spec: podSpec } });
});
afterAll(() => cluster.stop());

async function send(
  method: string,
  path: string,
  body: object,
): Promise<{ status: number; message: unknown }> {
  const response = await cluster.fetch(path, { method, body });
  return { status: response.status, message: ((await response.json()) as { message?: unknown }).message };
}

it.each<[string, object, string]>([
  [
    'a propagation policy',
    { propagationPolicy: 'Nope' },
    'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Nope": supported values: "Foreground", "Background", "Orphan", "nil"',
  ],
  [
    'an unsafe deletion',
    { ignoreStoreReadErrorWithClusterBreakingPotential: true },
    'Eviction.policy "p" is invalid: deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: can not be set for pod eviction, try after removing the option',
  ],
])('rejects an eviction with %s', async (_what, deleteOptions, message) => {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' }, deleteOptions };
  expect(await send('POST', `${pods}/p/eviction`, eviction)).toEqual({ status: 422, message });
});

it('rejects a scale with invalid metadata', async () => {
  const scale = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'd', finalizers: ['added'] },
    spec: { replicas: 2 },
  };
  expect(await send('PUT', `${deployments}/d/scale`, scale)).toEqual({
    status: 422,
    message:
      'Scale.autoscaling "d" is invalid: metadata.finalizers[0]: Invalid value: "added": name is neither a standard finalizer name nor is it fully qualified',
  });
  const owned = { ...scale, metadata: { name: 'd', managedFields: [{}] } };
  expect(await send('PUT', `${deployments}/d/scale`, owned)).toMatchObject({ status: 200 });
});
