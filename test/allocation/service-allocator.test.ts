import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllocationRange } from '../../src/allocation/allocation-range.ts';
import { ServiceAllocator } from '../../src/allocation/service-allocator.ts';
import { serviceStrategy } from '../../src/kinds/core/services/service.ts';
import type { StrategyContext } from '../../src/kinds/strategy.ts';
import type { Service, ServiceSpec } from '../../src/model/generated/core-v1.ts';
import { ApiError } from '../../src/status/api-error.ts';
import { contextOf } from '../kinds/run-strategy.ts';

const context = {} as StrategyContext;
const create = (ranges: string[] = ['10.96.0.0/16'], nodePorts = { first: 30_000, last: 32_767 }) =>
  new ServiceAllocator({
    addressRanges: ranges.map((range) => parseAllocationRange(range)!),
    nodePorts,
    random: Math.random,
  });

function prepared(spec: ServiceSpec, old?: Service): Service {
  const service: Service = { metadata: { name: 's', namespace: 'n' }, spec: structuredClone(spec) };
  serviceStrategy.defaulting!.byVersion!.v1!(service);
  if (old === undefined) serviceStrategy.prepareForCreate!(service, context);
  else serviceStrategy.prepareForUpdate!(service, structuredClone(old), context);
  return service;
}

async function stored(allocator: ServiceAllocator, spec: ServiceSpec, old?: Service): Promise<Service> {
  const service = prepared(spec, old);
  await (await allocator.allocate(service, old, contextOf()))?.commit();
  return service;
}

async function causesOf(promise: Promise<unknown>): Promise<string[]> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return ((error as ApiError).details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
}

const ports = [{ port: 80 }];

describe('cluster IP allocation', () => {
  it('allocates each address of the range once', async () => {
    const allocator = create(['10.0.0.0/29']);
    const addresses = new Set<string>();
    for (let count = 0; count < 6; count += 1)
      addresses.add((await stored(allocator, { ports })).spec!.clusterIP!);
    expect([...addresses].sort()).toEqual([
      '10.0.0.1',
      '10.0.0.2',
      '10.0.0.3',
      '10.0.0.4',
      '10.0.0.5',
      '10.0.0.6',
    ]);
    await expect(stored(allocator, { ports })).rejects.toThrow(
      'failed to allocate a serviceIP: range is full',
    );
  });

  it('reserves a requested address once', async () => {
    const allocator = create();
    await stored(allocator, { clusterIP: '10.96.0.7', ports });
    expect(await causesOf(stored(allocator, { clusterIP: '10.96.0.7', ports }))).toEqual([
      'spec.clusterIPs: Invalid value: []string{"10.96.0.7"}: failed to allocate IP 10.96.0.7: provided IP is already allocated',
    ]);
    expect(await causesOf(stored(allocator, { clusterIP: '192.0.2.1', ports }))).toEqual([
      'spec.clusterIPs: Invalid value: []string{"192.0.2.1"}: failed to allocate IP 192.0.2.1: the provided IP (192.0.2.1) is not in the valid range. The range of valid IPs is 10.96.0.0/16',
    ]);
  });

  it('releases addresses on deletion and rollback', async () => {
    const allocator = create();
    const service = await stored(allocator, { clusterIP: '10.96.0.7', ports });
    await allocator.release(service);
    const allocation = await allocator.allocate(
      prepared({ clusterIP: '10.96.0.7', ports }),
      undefined,
      contextOf(),
    );
    await allocation!.rollback();
    expect((await stored(allocator, { clusterIP: '10.96.0.7', ports })).spec!.clusterIPs).toEqual([
      '10.96.0.7',
    ]);
  });

  it('ignores a rollback after the commit', async () => {
    const allocator = create();
    const allocation = (await allocator.allocate(
      prepared({ clusterIP: '10.96.0.7', ports }),
      undefined,
      contextOf(),
    ))!;
    await allocation.commit();
    await allocation.rollback();
    expect(await causesOf(stored(allocator, { clusterIP: '10.96.0.7', ports }))).toHaveLength(1);
  });

  it('reserves nothing in a dry run and reports conflicts of ports', async () => {
    const allocator = create();
    expect(
      await allocator.allocate(
        prepared({ clusterIP: '10.96.0.7', ports }),
        undefined,
        contextOf({ dryRun: true }),
      ),
    ).toBeUndefined();
    const service = prepared({ type: 'NodePort', ports });
    await allocator.allocate(service, undefined, contextOf({ dryRun: true }));
    expect(service.spec).toMatchObject({ clusterIP: '10.96.0.0', ports: [{ nodePort: 32_769 }] });
    const fixed = { clusterIP: '10.96.0.7', type: 'NodePort', ports: [{ port: 80, nodePort: 30_007 }] };
    await stored(allocator, fixed);
    expect(
      await causesOf(allocator.allocate(prepared(fixed), undefined, contextOf({ dryRun: true }))),
    ).toEqual([expect.stringContaining('provided port is already allocated')]);
    expect(
      await allocator.allocate(
        prepared({ clusterIP: '10.96.0.7', ports }),
        undefined,
        contextOf({ dryRun: true }),
      ),
    ).toBeUndefined();
  });

  it('releases and allocates addresses when the type changes', async () => {
    const allocator = create();
    const first = await stored(allocator, { clusterIP: '10.96.0.7', ports });
    const external = await stored(
      allocator,
      { ...first.spec, type: 'ExternalName', externalName: 'e.test' },
      first,
    );
    expect(external.spec).not.toHaveProperty('clusterIP');
    expect(external.spec).not.toHaveProperty('ipFamilies');
    await stored(allocator, { clusterIP: '10.96.0.7', ports });
    const back = await stored(allocator, { ...external.spec, type: 'ClusterIP' }, external);
    expect(back.spec!.clusterIPs).toEqual([back.spec!.clusterIP]);
    expect(back.spec!.clusterIP).toMatch(/^10\.96\./);
  });
});

describe('dual-stack allocation', () => {
  const ranges = ['10.96.0.0/16', 'fd00:96::/112'];

  it('allocates and releases the secondary address with the policy', async () => {
    const allocator = create(ranges);
    const single = await stored(allocator, { ports });
    expect(single.spec!.ipFamilies).toEqual(['IPv4']);
    const { clusterIPs: _addresses, ipFamilies: _families, ...rest } = single.spec!;
    const dual = await stored(allocator, { ...rest, ipFamilyPolicy: 'RequireDualStack' }, single);
    expect(dual.spec).toMatchObject({ ipFamilies: ['IPv4', 'IPv6'], clusterIP: single.spec!.clusterIP });
    const second = dual.spec!.clusterIPs![1]!;
    expect(second).toMatch(/^fd00:96::/);
    const again = await stored(allocator, { ...dual.spec, ipFamilyPolicy: 'SingleStack' }, dual);
    expect(again.spec).toMatchObject({ ipFamilies: ['IPv4'], clusterIPs: single.spec!.clusterIPs });
    expect((await stored(allocator, { clusterIP: second, ports })).spec!.ipFamilies).toEqual(['IPv6']);
  });

  it('allocates no address when one of two is already allocated', async () => {
    const allocator = create(ranges);
    await stored(allocator, { clusterIP: 'fd00:96::1', ports });
    const both: ServiceSpec = {
      ipFamilyPolicy: 'RequireDualStack',
      clusterIP: '10.96.0.7',
      clusterIPs: ['10.96.0.7', 'fd00:96::1'],
      ports,
    };
    expect(await causesOf(stored(allocator, both))).toHaveLength(1);
    await stored(allocator, { clusterIP: '10.96.0.7', ports });
  });

  it('sets both families on a headless Service without selector with a single range', async () => {
    const { spec } = await stored(create(), { clusterIP: 'None', ports });
    expect(spec).toMatchObject({
      clusterIPs: ['None'],
      ipFamilies: ['IPv4', 'IPv6'],
      ipFamilyPolicy: 'RequireDualStack',
    });
  });
});

describe('node port allocation', () => {
  it('shares a node port between protocols of one port number', async () => {
    const dns = [
      { name: 'tcp', port: 53, protocol: 'TCP' },
      { name: 'udp', port: 53, protocol: 'UDP' },
      { name: 'other', port: 54, protocol: 'UDP' },
    ];
    const [tcp, udp, other] = (await stored(create(), { type: 'NodePort', ports: dns })).spec!.ports!.map(
      ({ nodePort }) => nodePort,
    );
    expect(tcp).toBe(udp);
    expect(other).not.toBe(tcp);
  });

  it('keeps node ports by port name and releases those of removed ports', async () => {
    const allocator = create(['10.96.0.0/16'], { first: 30_000, last: 30_001 });
    const first = await stored(allocator, {
      type: 'NodePort',
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', port: 2 },
      ],
    });
    const [a, b] = first.spec!.ports!.map(({ nodePort }) => nodePort);
    const second = await stored(allocator, { type: 'NodePort', ports: [{ name: 'b', port: 3 }] }, first);
    expect(second.spec!.ports![0]!.nodePort).toBe(b);
    expect((await stored(allocator, { type: 'NodePort', ports })).spec!.ports![0]!.nodePort).toBe(a);
    await expect(stored(allocator, { type: 'NodePort', ports })).rejects.toThrow(
      'failed to allocate a nodePort',
    );
    const plain = await stored(allocator, { ...second.spec, type: 'ClusterIP' }, second);
    expect(plain.spec!.ports).toEqual([{ name: 'b', port: 3, protocol: 'TCP', targetPort: 3 }]);
    expect((await stored(allocator, { type: 'NodePort', ports })).spec!.ports![0]!.nodePort).toBe(b);
  });

  it('allocates a health check port for external traffic policy Local', async () => {
    const allocator = create();
    const local = await stored(allocator, { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports });
    const port = local.spec!.healthCheckNodePort!;
    expect(port).toBeGreaterThanOrEqual(30_000);
    const changed = prepared({ ...local.spec, healthCheckNodePort: 31_000 }, local);
    expect(await causesOf(allocator.allocate(changed, local, contextOf()))).toHaveLength(1);
    const cluster = await stored(allocator, { ...local.spec, externalTrafficPolicy: 'Cluster' }, local);
    expect(cluster.spec).not.toHaveProperty('healthCheckNodePort');
    await stored(allocator, { type: 'NodePort', ports: [{ port: 80, nodePort: port }] });
  });
});

describe('repair', () => {
  it('marks stored values as allocated and reports the younger Service of a conflict', async () => {
    const service = (name: string, creationTimestamp: string): Service => ({
      metadata: { name, namespace: 'n', creationTimestamp },
      spec: { clusterIPs: ['10.96.0.7'], ports: [{ port: 1, nodePort: 30_001 }] },
    });
    const allocator = create();
    const [young, old] = [service('young', '2026-02-01T00:00:00Z'), service('old', '2026-01-01T00:00:00Z')];
    const conflict = { type: 'already allocated', service: young, holder: old };
    expect(await allocator.repair(() => [young, old])).toEqual([
      { ...conflict, resource: 'address', value: '10.96.0.7' },
      { ...conflict, resource: 'port', value: '30001' },
    ]);
    await allocator.release(young);
    expect(await causesOf(stored(allocator, { clusterIP: '10.96.0.7', ports }))).toHaveLength(1);
    await allocator.release(old);
    await stored(allocator, { clusterIP: '10.96.0.7', ports });
  });
});

it('reports values of Services outside its ranges', async () => {
  const service = (spec: Service['spec']): Service => ({ metadata: { name: 's', namespace: 'n' }, spec });
  const list = [
    service({ clusterIPs: ['10.97.0.1'], ports: [{ port: 1, nodePort: 29_999 }] }),
    service({ clusterIPs: ['nonsense'] }),
    service({ clusterIPs: ['None'] }),
    service({ type: 'ExternalName', externalName: 'a.test' }),
  ];
  expect(await create(['10.96.0.0/16']).repair(() => list)).toEqual([
    { type: 'out of range', service: list[0], resource: 'address', value: '10.97.0.1' },
    { type: 'out of range', service: list[0], resource: 'port', value: '29999' },
    { type: 'not valid', service: list[1], resource: 'address', value: 'nonsense' },
  ]);
});

it('never allocates an address or port twice under concurrent requests', async () => {
  const step = fc.record({
    type: fc.constantFrom('ClusterIP', 'NodePort', 'LoadBalancer'),
    requested: fc.option(fc.integer({ min: 1, max: 14 })),
    fails: fc.boolean(),
    removes: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const allocator = create(['10.0.0.0/28'], { first: 1, last: 12 });
      const services = new Set<Service>();
      await Promise.all(
        steps.map(async ({ type, requested, fails, removes }) => {
          const service = prepared({
            type,
            ports,
            ...(requested === null ? {} : { clusterIP: `10.0.0.${requested}` }),
          });
          const allocation = await allocator.allocate(service, undefined, contextOf()).catch(() => undefined);
          if (allocation === undefined) return;
          if (fails) return allocation.rollback();
          services.add(service);
          await allocation.commit();
          if (!removes) return;
          services.delete(service);
          await allocator.release(service);
        }),
      );
      const held = [...services].flatMap(({ spec }) =>
        [spec!.clusterIP, spec!.ports![0]!.nodePort].filter((value) => value !== undefined),
      );
      expect(new Set(held).size).toBe(held.length);
    }),
    { numRuns: 60 },
  );
});
