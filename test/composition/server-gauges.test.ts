import { afterEach, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

let cluster: TestCluster | undefined;
afterEach(() => cluster?.stop());

it('names a kind of two groups alike in all gauges of its storage', async () => {
  cluster = await startCluster({ storageBackend: 'memory', controllers: ['-*'] });
  const created = await cluster.fetch('/api/v1/namespaces/default/events', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { namespace: 'default' },
    }),
  });
  expect(created.status).toBe(201);
  const lines = (await (await cluster.fetch('/metrics')).text()).split('\n');
  const names = (metric: string) =>
    lines.flatMap((line) =>
      line.startsWith(`${metric}{`) ? (/resource="(events[^"]*)"/.exec(line)?.[1] ?? []) : [],
    );
  expect(names('apiserver_storage_objects')).toEqual(['events']);
  expect(names('apiserver_watch_cache_resource_version')).toEqual(['events']);
  expect(lines.filter((line) => line.includes('type="events.events'))).toEqual([]);
  expect(lines).toContain('etcd_requests_total{operation="create",type="events"} 1');
});
