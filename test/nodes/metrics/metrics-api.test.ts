import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';

const METRICS = '/apis/metrics.k8s.io/v1beta1';
const PODS = '/api/v1/namespaces/default/pods';

let cluster: TestCluster;
const send = async (method: string, path: string, body?: object) => {
  const response = await cluster.fetch(path, { method, ...(body && { body }) });
  return { status: response.status, body: JSON.parse(await response.text()) };
};
const get = async (path: string) => (await send('GET', path)).body;

beforeAll(async () => {
  cluster = await startCluster({ simulateNodes: 2, controllers: ['serviceaccount-controller'] });
  await vi.waitFor(async () => {
    expect((await send('GET', '/api/v1/namespaces/default/serviceaccounts/default')).status).toBe(200);
  });
  await send('POST', PODS, {
    metadata: {
      name: 'web',
      labels: { app: 'web' },
      annotations: { 'kwok.x-k8s.io/usage-cpu': '250m', 'kwok.x-k8s.io/usage-memory': '64Mi' },
    },
    spec: {
      nodeName: 'node-0',
      containers: [
        { name: 'a', image: 'i' },
        { name: 'b', image: 'i' },
      ],
    },
  });
  await vi.waitFor(async () => expect((await get(`${PODS}/web`)).status.phase).toBe('Running'));
});
afterAll(() => cluster.stop());

describe('the measurements of simulated nodes', () => {
  it('are in discovery', async () => {
    expect((await get('/apis')).groups.map(({ name }: { name: string }) => name)).toContain('metrics.k8s.io');
    expect(await get(METRICS)).toMatchObject({
      groupVersion: 'metrics.k8s.io/v1beta1',
      resources: [
        { name: 'nodes', kind: 'NodeMetrics', namespaced: false },
        { name: 'pods', kind: 'PodMetrics', namespaced: true },
      ],
    });
  });

  it('are of running Pods, and of nodes the sum of them', async () => {
    const usage = { cpu: '250m', memory: '64Mi' };
    expect(await get(`${METRICS}/namespaces/default/pods/web`)).toMatchObject({
      kind: 'PodMetrics',
      window: '15s',
      containers: [
        { name: 'a', usage },
        { name: 'b', usage },
      ],
    });
    expect(await get(`${METRICS}/nodes/node-0`)).toMatchObject({ usage: { cpu: '500m', memory: '128Mi' } });
    const { items } = await get(`${METRICS}/nodes`);
    expect(items).toHaveLength(2);
    expect(items[1].usage.cpu).toBe('0');
    expect((await get(`${METRICS}/pods?labelSelector=app%3Dother`)).items).toEqual([]);
    expect((await get(`${METRICS}/pods?labelSelector=app%3Dweb`)).items).toHaveLength(1);
  });

  it('are refused where there are none', async () => {
    expect(await send('GET', `${METRICS}/namespaces/default/pods/absent`)).toMatchObject({
      status: 404,
      body: { message: 'pods.metrics.k8s.io "absent" not found' },
    });
    expect((await send('POST', `${METRICS}/nodes`, {})).status).toBe(405);
    expect((await send('GET', `${METRICS}/services`)).status).toBe(404);
  });

  it('yield to an extension server', async () => {
    await send('POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: 'v1beta1.metrics.k8s.io' },
      spec: {
        group: 'metrics.k8s.io',
        version: 'v1beta1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        service: { namespace: 'default', name: 'absent' },
      },
    });
    await vi.waitFor(async () => {
      const response = await cluster.fetch(`${METRICS}/nodes`, {});
      expect(response.status).toBe(503);
    });
  });
});
