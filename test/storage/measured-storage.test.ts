import { describe, expect, it } from 'vitest';
import { createServerMetrics } from '../../src/observability/metrics-catalog.ts';
import { exposition } from '../../src/observability/metrics-exposition.ts';
import { isBuiltinPrefix, storageTypeOf } from '../../src/resources/storage-type.ts';
import { MeasuredStorage } from '../../src/storage/measured-storage.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';

describe('measured storage', () => {
  it('counts requests by operation and object type', async () => {
    const metrics = createServerMetrics();
    const storage = new MeasuredStorage(createMemoryStorage(), metrics, storageTypeOf);
    const value = Buffer.from('x');
    const created = await storage.transact({ key: '/registry/services/specs/a/b', expected: 0, value });
    const updated = await storage.transact({
      key: '/registry/services/specs/a/b',
      expected: created.revision,
      value: Buffer.from('y'),
    });
    await storage.transact({
      key: '/registry/services/specs/a/b',
      expected: updated.revision,
      value: undefined,
    });
    await storage.get('/registry/minions/n');
    await storage.range({ start: '/registry/deployments/', end: '/registry/deployments0' });
    await storage.get('/registry/stable.example.com/crontabs/a/b');
    await expect(
      storage.transact({ key: `/registry/pods/${'x'.repeat(5000)}`, expected: 0, value }),
    ).rejects.toThrow();
    const lines = (await exposition(metrics.registry))
      .split('\n')
      .filter((line) => /^etcd_request(s|_errors)_total\{/.test(line));
    expect(lines).toEqual([
      'etcd_request_errors_total{operation="create",type="pods"} 1',
      'etcd_requests_total{operation="create",type="pods"} 1',
      'etcd_requests_total{operation="create",type="services"} 1',
      'etcd_requests_total{operation="delete",type="services"} 1',
      'etcd_requests_total{operation="get",type="crontabs.stable.example.com"} 1',
      'etcd_requests_total{operation="get",type="nodes"} 1',
      'etcd_requests_total{operation="list",type="deployments.apps"} 1',
      'etcd_requests_total{operation="update",type="services"} 1',
    ]);
    await storage.close();
  });

  it('has no series of kinds that are not known', async () => {
    const metrics = createServerMetrics();
    const storage = new MeasuredStorage(createMemoryStorage(), metrics, storageTypeOf);
    const served = new Set(['g.test/things', 'g.test/others']);
    storage.limitPrefixes((prefix) => isBuiltinPrefix(prefix) || served.has(prefix));
    const get = (path: string) => storage.get(`/registry/${path}/a/b`);
    for (const path of ['pods', 'g.test/things', 'g.test/others', 'g.test/unknown', 'x.test/unknown'])
      await get(path);
    const counts = async () =>
      (await exposition(metrics.registry))
        .split('\n')
        .flatMap((line) => /^etcd_requests_total\{.*type=(.*)/.exec(line)?.[1] ?? []);
    expect(await counts()).toEqual([
      '"others.g.test"} 1',
      '"pods"} 1',
      '"things.g.test"} 1',
      '"unexpected"} 2',
    ]);
    served.delete('g.test/things');
    storage.forgetPrefix('g.test/things');
    await get('g.test/things');
    expect(await counts()).toEqual(['"others.g.test"} 1', '"pods"} 1', '"unexpected"} 3']);
    await storage.close();
  });
});
