import { expect, it } from 'vitest';
import { MemoryNumberPool } from '../../src/allocation/number-pool.ts';
import { measurePool } from '../../src/composition/measured-pool.ts';
import { createServerMetrics } from '../../src/observability/metrics-catalog.ts';
import { exposition } from '../../src/observability/metrics-exposition.ts';

it('counts the addresses and node ports of Services', async () => {
  const metrics = createServerMetrics();
  const pool = (name: string, range: string, size: number) =>
    measurePool(new MemoryNumberPool(size, 0, () => 0), { name, range, size, band: 0 }, metrics);
  const addresses = pool('serviceips', '10.0.0.0/30', 2);
  pool('secondaryserviceips', 'fd00::/126', 3);
  const ports = pool('servicenodeports', '30000-30000', 1);
  expect(await addresses.reserve(1)).toBe(true);
  expect(await addresses.reserve(1)).toBe(false);
  expect(await addresses.allocateNext()).toBe(0);
  expect(await addresses.allocateNext()).toBeUndefined();
  await addresses.release(1);
  expect(await ports.allocateNext()).toBe(0);
  const shown = (await exposition(metrics.registry))
    .split('\n')
    .flatMap((line) => /^kube_apiserver_((?:clusterip|nodeport)_.*)$/.exec(line)?.[1] ?? []);
  expect(shown).toEqual([
    'clusterip_allocator_allocated_ips{cidr="10.0.0.0/30"} 1',
    'clusterip_allocator_allocated_ips{cidr="fd00::/126"} 0',
    'clusterip_allocator_allocation_errors_total{cidr="10.0.0.0/30",scope="dynamic"} 1',
    'clusterip_allocator_allocation_errors_total{cidr="10.0.0.0/30",scope="static"} 1',
    'clusterip_allocator_allocation_total{cidr="10.0.0.0/30",scope="dynamic"} 1',
    'clusterip_allocator_allocation_total{cidr="10.0.0.0/30",scope="static"} 1',
    'clusterip_allocator_available_ips{cidr="10.0.0.0/30"} 1',
    'clusterip_allocator_available_ips{cidr="fd00::/126"} 3',
    'nodeport_allocator_allocated_ports 1',
    'nodeport_allocator_allocation_total{scope="dynamic"} 1',
    'nodeport_allocator_available_ports 0',
  ]);
});
