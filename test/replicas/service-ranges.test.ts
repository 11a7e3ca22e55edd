import { expect, it } from 'vitest';
import { parseAllocationRange } from '../../src/allocation/allocation-range.ts';
import { ServiceAllocator } from '../../src/allocation/service-allocator.ts';
import type { Service } from '../../src/model/generated/core-v1.ts';
import type { KubernetesObject } from '../../src/model/object.ts';
import { ServiceRanges } from '../../src/replicas/service-ranges.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { OutcomeUnknownError } from '../../src/storage/storage.ts';
import { FakeClock } from '../storage/fake-clock.ts';
import { bothClocks } from '../support/both-clocks.ts';
import { resourcesOn } from '../support/resources-on.ts';
import { FakeClient } from './fake-client.ts';
import { advance, silentLogger } from './helpers.ts';

const REPAIR_INTERVAL = 3 * 60_000;

/** A server with ranges 10.96.0.0/24 and 30000-30010 on a store in memory. */
function server(onFailure: () => void = () => undefined) {
  const storage = createMemoryStorage();
  const resources = resourcesOn(storage);
  const { stored } = resources.internal('', 'services');
  const [api, clock] = [new FakeClient(), new FakeClock()];
  const allocator = new ServiceAllocator({
    addressRanges: [parseAllocationRange('10.96.0.0/24')!],
    nodePorts: { first: 30_000, last: 30_010 },
    random: () => 0,
  });
  const key = stored.key('n', 's');
  return {
    api,
    clock,
    allocator,
    ranges: new ServiceRanges({
      resources,
      allocator,
      ...bothClocks(clock),
      logger: silentLogger,
      onFailure,
    }),
    async store(spec: Service['spec']) {
      const { entry } = await storage.get(key);
      const service = { metadata: { namespace: 'n', name: 's', uid: 'u' }, spec } as KubernetesObject;
      const value = stored.codec.encode(service);
      await storage.transact({ key, expected: entry?.revision ?? 0, value });
    },
    events: () =>
      [...api.objects.values()].map((event) => (event as unknown as { reason: string }).reason).sort(),
    async close() {
      resources.close();
      await storage.close();
    },
  };
}

it.each([
  { shared: false, again: [] },
  { shared: true, again: ['ClusterIPOutOfRange'] },
])('publishes a fault once while it lasts (shared: $shared)', async ({ shared, again }) => {
  const { api, clock, ranges, store, events, close } = server();
  const ports = [{ port: 1, nodePort: 29_999 }];
  await store({ clusterIPs: ['10.97.0.1'], ports });
  await ranges.repair();
  expect(events()).toEqual([]);
  const loop = ranges.start(api.client, shared);
  await advance(clock, 0);
  const first = ['ClusterIPOutOfRange', 'PortOutOfRange'];
  expect(events()).toEqual(first);
  await advance(clock, 2 * REPAIR_INTERVAL);
  expect(events()).toEqual(first);
  await store({ clusterIPs: ['10.96.0.1'], ports });
  await advance(clock, REPAIR_INTERVAL);
  expect(events()).toEqual(first);
  await store({ clusterIPs: ['10.97.0.1'], ports });
  await advance(clock, REPAIR_INTERVAL);
  expect(events()).toEqual([...again, ...first]);
  await loop.stop();
  await close();
});

it('describes the fault in an Event of the Service', async () => {
  const { api, clock, ranges, store, close } = server();
  await store({ clusterIPs: ['10.97.0.1'] });
  await ranges.repair();
  const loop = ranges.start(api.client, false);
  await advance(clock, 0);
  expect([...api.objects.values()]).toMatchObject([
    {
      metadata: { namespace: 'n' },
      involvedObject: { kind: 'Service', apiVersion: 'v1', namespace: 'n', name: 's', uid: 'u' },
      type: 'Warning',
      reason: 'ClusterIPOutOfRange',
      message:
        'Cluster IP [IPv4]:10.97.0.1 is not within the configured service CIDR; please recreate service',
      source: { component: 'ipallocator-repair-controller' },
      count: 1,
    },
  ]);
  await loop.stop();
  await close();
});

it('repairs again when the outcome of a repair is unknown', async () => {
  const { allocator, ranges, close } = server();
  const repair = allocator.repair.bind(allocator);
  let repairs = 0;
  allocator.repair = async (list) => {
    const faults = await repair(list);
    repairs += 1;
    if (repairs === 1) throw new OutcomeUnknownError('the answer was lost', true);
    return faults;
  };
  await ranges.repair();
  expect(repairs).toBe(2);
  await close();
});

it('reports a repair that has failed after all attempts', async () => {
  let failures = 0;
  const { allocator, ranges, close } = server(() => {
    failures += 1;
  });
  allocator.repair = () => Promise.reject(new OutcomeUnknownError('the answer was lost', true));
  await expect(ranges.repair()).rejects.toThrow(OutcomeUnknownError);
  expect(failures).toBe(1);
  await close();
});
