import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';

const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' };

describe('responses of a complete server', () => {
  let cluster: TestCluster;
  let late = 0;
  const wallClock = Date.now;
  beforeAll(async () => {
    vi.spyOn(Date, 'now').mockImplementation(() => wallClock() + late);
    cluster = await startCluster();
  });
  afterAll(async () => {
    await cluster.stop();
    vi.restoreAllMocks();
  });

  const json = async (path: string, init: object = {}) =>
    (await (await cluster.fetch(path, init)).json()) as never;

  it('lists health checks in the index of paths', async () => {
    const { paths } = (await json('/')) as { paths: string[] };
    for (const path of ['/healthz/ping', '/livez/log', '/readyz/shutdown', '/readyz/etcd-readiness']) {
      expect(paths).toContain(path);
      expect(await (await cluster.fetch(path)).text()).toBe('ok');
    }
    expect(paths).not.toContain('/livez/shutdown');
  });

  it('sends one line per watch event, regardless of pretty', async () => {
    const answer = await cluster.fetch(
      '/api/v1/namespaces?watch=1&pretty=true&timeoutSeconds=1&fieldSelector=metadata.name%3Ddefault',
    );
    const lines = (await answer.text()).trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ type: 'ADDED' });
  });

  it('returns 503 for a group version of an extension server', async () => {
    const spec = {
      group: 'far.example.test',
      version: 'v1',
      groupPriorityMinimum: 1,
      versionPriority: 1,
      service: { namespace: 'a', name: 'b' },
    };
    const created = await cluster.fetch('/apis/apiregistration.k8s.io/v1/apiservices', {
      method: 'POST',
      body: { metadata: { name: 'v1.far.example.test' }, spec: { ...spec, insecureSkipTLSVerify: true } },
    });
    expect(created.status).toBe(201);
    for (const path of [
      '/apis/far.example.test/v1',
      '/apis/far.example.test/v1/namespaces/default/things/one',
    ]) {
      await vi.waitFor(async () => {
        const answer = await cluster.fetch(path);
        expect([answer.status, await answer.text()]).toEqual([503, 'service unavailable\n']);
      });
    }
    expect((await cluster.fetch('/apis/far.example.test/v2')).status).toBe(404);
  });

  it('does not write when a manager repeats its fields', async () => {
    const path = '/api/v1/namespaces/default/pods';
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    expect((await cluster.fetch(path, { method: 'POST', body: pod })).status).toBe(201);
    const status = { conditions: [{ type: 'Ready', status: 'True' }] };
    const patch = () =>
      json(`${path}/p/status`, { method: 'PATCH', headers: MERGE_PATCH, body: { status } }) as Promise<{
        metadata: object;
      }>;
    const first = await patch();
    late += 5000;
    expect((await patch()).metadata).toEqual(first.metadata);
  });

  it('records replicas set through a Scale without a time', async () => {
    const path = '/apis/apps/v1/namespaces/default/deployments';
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await cluster.fetch(path, {
      method: 'POST',
      body: { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } },
    });
    await cluster.fetch(`${path}/d/scale`, {
      method: 'PATCH',
      headers: MERGE_PATCH,
      body: { spec: { replicas: 3 } },
    });
    const { metadata } = (await json(`${path}/d`)) as {
      metadata: { managedFields: { subresource?: string; time?: string }[] };
    };
    const entries = metadata.managedFields.filter(({ subresource }) => subresource === 'scale');
    expect(entries).toHaveLength(1);
    expect(entries[0]).not.toHaveProperty('time');
  });
});
