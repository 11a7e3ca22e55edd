import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Service } from '../../../src/model/generated/core-v1.ts';
import type { Endpoint, EndpointSlice } from '../../../src/model/generated/discovery-v1.ts';
import { NO_CHANGES, type SliceChanges } from '../../../src/workloads/endpoint-slices/changes.ts';
import { allocate } from '../../../src/workloads/endpoint-slices/hints/allocation.ts';
import { TopologyHints } from '../../../src/workloads/endpoint-slices/hints/topology-hints.ts';
import { zoneNodeOf, zoneShares } from '../../../src/workloads/endpoint-slices/hints/zones.ts';
import { service } from '../service-pods/objects.ts';

const AUTO = service({}, { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } });

const node = (zone: string | undefined, cpu: string | undefined, ready = 'True', labels = {}) =>
  zoneNodeOf({
    metadata: { labels: { ...labels, ...(zone !== undefined && { 'topology.kubernetes.io/zone': zone }) } },
    status: {
      ...(cpu !== undefined && { allocatable: { cpu } }),
      conditions: [{ type: 'Ready', status: ready }],
    },
  });

const endpoint = (name: string, zone: string, ready = true): Endpoint => ({
  addresses: [name],
  conditions: { ready },
  nodeName: `node-${zone}`,
  ...(zone !== '' && { zone }),
});

const slice = (...endpoints: Endpoint[]): EndpointSlice => ({
  metadata: { name: 's' },
  addressType: 'IPv4',
  endpoints,
});

const creating = (...endpoints: Endpoint[]): SliceChanges => ({
  ...NO_CHANGES,
  create: [slice(...endpoints)],
});

const forZones = ({ create, update, keep }: SliceChanges): string[] =>
  [...create, ...update, ...keep].flatMap(({ endpoints = [] }) =>
    endpoints.map(({ hints }) => (hints?.forZones ?? []).map(({ name }) => name).join()),
  );

const EVEN = zoneShares([node('a', '4'), node('b', '4')]);

function hintsFor(shares = EVEN): TopologyHints {
  const hints = new TopologyHints();
  hints.setShares(shares);
  return hints;
}

const apply = (hints: TopologyHints, of: Service, changes: SliceChanges) =>
  hints.apply('ns/web', of, 'IPv4', changes);

describe('the shares of zones', () => {
  it('are those of the processors of ready nodes that carry workloads', () => {
    const control = node('c', '8', 'True', { 'node-role.kubernetes.io/control-plane': '' });
    expect(
      zoneShares([node('a', '3'), node('b', '500m'), node('b', '500m'), node('c', '8', 'False'), control]),
    ).toEqual(
      new Map([
        ['a', 0.75],
        ['b', 0.25],
      ]),
    );
  });

  it('are not known with one zone, or with a node without zone or processors', () => {
    expect(zoneShares([node('a', '4'), node('a', '4')])).toBeUndefined();
    expect(zoneShares([node('a', '4'), node('b', '4'), node(undefined, '4')])).toBeUndefined();
    expect(zoneShares([node('a', '4'), node('b', undefined)])).toBeUndefined();
    expect(zoneShares([])).toBeUndefined();
  });
});

describe('hints by the processors of zones', () => {
  it('have endpoints serve their own zones as far as the shares permit, and say so once', () => {
    const hints = hintsFor();
    const even = creating(endpoint('1', 'a'), endpoint('2', 'b'), endpoint('3', 'a', false));
    const first = apply(hints, AUTO, even);
    expect(forZones(first.changes)).toEqual(['a', 'b', '']);
    expect(first.events).toEqual([
      {
        type: 'Normal',
        reason: 'TopologyAwareHintsEnabled',
        message: 'Topology Aware Hints has been enabled, addressType: IPv4',
      },
    ]);
    expect(apply(hints, AUTO, even).events).toEqual([]);
    const uneven = creating(endpoint('1', 'a'), endpoint('2', 'a'), endpoint('3', 'a'), endpoint('4', 'a'));
    expect(forZones(apply(hintsFor(), AUTO, uneven).changes)).toEqual(['b', 'b', 'a', 'a']);
  });

  it('keep slices whose hints fit, and write those without', () => {
    const hints = hintsFor();
    const { changes } = apply(hints, AUTO, creating(endpoint('1', 'a'), endpoint('2', 'b')));
    const kept = apply(hints, AUTO, { ...NO_CHANGES, keep: changes.create });
    expect([kept.changes.update, kept.changes.keep]).toEqual([[], changes.create]);
    const lacking = apply(hints, AUTO, {
      ...NO_CHANGES,
      keep: [slice(endpoint('1', 'a'), endpoint('2', 'b'))],
    });
    expect([lacking.changes.keep, forZones(lacking.changes)]).toEqual([[], ['a', 'b']]);
  });

  const disabled = (problem: string) => [
    { type: 'Warning', reason: 'TopologyAwareHintsDisabled', message: `${problem}, addressType: IPv4` },
  ];

  it('are none, with a warning, if they cannot be given', () => {
    const both = [endpoint('1', 'a'), endpoint('2', 'b')];
    expect(apply(hintsFor(), AUTO, creating(endpoint('1', 'a'))).events).toEqual(
      disabled('Insufficient number of endpoints (1 endpoints, 2 zones)'),
    );
    expect(apply(hintsFor(), AUTO, creating(...both, endpoint('3', 'b'), endpoint('4', ''))).events).toEqual(
      disabled('One or more endpoints do not have a zone specified'),
    );
    const unknown = apply(new TopologyHints(), AUTO, creating(...both));
    expect(unknown.events).toEqual(
      disabled('Insufficient Node information: allocatable CPU or zone not specified on one or more nodes'),
    );
    expect(forZones(unknown.changes)).toEqual(['', '']);
    const three = zoneShares([node('a', '1'), node('b', '1'), node('c', '1')]);
    expect(
      apply(hintsFor(three), AUTO, creating(...both, endpoint('3', 'a'), endpoint('4', 'a'))).events,
    ).toEqual(
      disabled(
        'Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (4 endpoints, 3 zones)',
      ),
    );
  });

  it('go when nobody asks for them any more', () => {
    const hints = hintsFor();
    const { changes } = apply(hints, AUTO, creating(endpoint('1', 'a'), endpoint('2', 'b')));
    const without = apply(hints, service(), { ...NO_CHANGES, keep: changes.create });
    expect(without.events).toEqual(disabled('Topology Aware Hints has been disabled'));
    expect(forZones(without.changes)).toEqual(['', '']);
    expect(without.changes.update.length).toBe(1);
  });

  it('are given anew to Services that the nodes do not suit any more', () => {
    const hints = hintsFor();
    apply(
      hints,
      AUTO,
      creating(endpoint('1', 'a'), endpoint('2', 'b'), endpoint('3', 'a'), endpoint('4', 'b')),
    );
    expect(hints.setShares(zoneShares([node('a', '5'), node('b', '4')]))).toEqual([]);
    expect(hints.setShares(zoneShares([node('a', '9'), node('b', '1')]))).toEqual(['ns/web']);
    expect(hints.setShares(undefined)).toEqual(['ns/web']);
    hints.forget('ns/web');
    expect(hints.setShares(undefined)).toEqual([]);
  });

  it('leave no zone with fewer endpoints than its least share, however endpoints are spread', () => {
    const zones = fc.constantFrom('a', 'b', 'c');
    const cpus = fc.tuple(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
    );
    fc.assert(
      fc.property(cpus, fc.array(zones, { maxLength: 30 }), ([a, b, c], spread) => {
        const shares = zoneShares([node('a', `${a}`), node('b', `${b}`), node('c', `${c}`)])!;
        const changes = creating(...spread.map((zone, index) => endpoint(`${index}`, zone)));
        const hinted = forZones(apply(hintsFor(shares), AUTO, changes).changes);
        const allocations = allocate(shares, spread.length);
        if ('problem' in allocations) {
          expect(new Set(hinted).size).toBeLessThanOrEqual(1);
          return;
        }
        for (const [zone, { desired }] of allocations)
          expect(hinted.filter((one) => one === zone).length).toBeGreaterThan(desired - 1.5);
        expect(hinted).not.toContain('');
      }),
    );
  });
});

describe('hints by traffic distribution', () => {
  it('name the zone of each ready endpoint, and its node if that is preferred', () => {
    const changes = creating(endpoint('1', 'a'), endpoint('2', 'b', false), endpoint('3', ''));
    const close = apply(hintsFor(), service({ trafficDistribution: 'PreferClose' }), changes).changes;
    expect(forZones(close)).toEqual(['a', '', '']);
    const same = apply(hintsFor(), service({ trafficDistribution: 'PreferSameNode' }), changes).changes;
    expect(same.create[0]!.endpoints!.map(({ hints }) => hints)).toEqual([
      { forZones: [{ name: 'a' }], forNodes: [{ name: 'node-a' }] },
      undefined,
      { forNodes: [{ name: 'node-' }] },
    ]);
    const kept = apply(hintsFor(), service({ trafficDistribution: 'PreferClose' }), {
      ...NO_CHANGES,
      keep: close.create,
    });
    expect(kept.changes.update).toEqual([]);
    expect(apply(hintsFor(), service(), { ...NO_CHANGES, keep: close.create }).changes.update.length).toBe(1);
  });
});
