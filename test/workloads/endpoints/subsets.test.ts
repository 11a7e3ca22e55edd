import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { subsetsOf } from '../../../src/workloads/endpoints/subsets.ts';
import { endpointPod, service } from '../service-pods/objects.ts';

const addresses = (subsets: ReturnType<typeof subsetsOf>) =>
  subsets.map(({ addresses: ready = [], notReadyAddresses = [], ports = [] }) => [
    ready.map(({ ip }) => ip),
    notReadyAddresses.map(({ ip }) => ip),
    ports.map(({ name = '', port }) => `${name}:${port}`),
  ]);

describe('the subsets of Endpoints', () => {
  it('keep Pods apart by readiness, and leave out those that are finished, going, or without address', () => {
    const pods = [
      endpointPod('b', { addresses: ['10.0.0.2'] }),
      endpointPod('a', { addresses: ['10.0.0.1'] }),
      endpointPod('c', { addresses: ['10.0.0.3'], ready: undefined as never }),
      endpointPod('d', { addresses: ['10.0.0.4'], deleted: true }),
      endpointPod('e', { addresses: ['10.0.0.5'], phase: 'Succeeded' }),
      endpointPod('f', { addresses: [] }),
    ];
    expect(addresses(subsetsOf(service(), pods))).toEqual([
      [['10.0.0.1', '10.0.0.2'], ['10.0.0.3'], [':8080']],
    ]);
    expect(addresses(subsetsOf(service({ publishNotReadyAddresses: true }), pods))).toEqual([
      [['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'], [], [':8080']],
    ]);
  });

  it('are one for each set of Pods that have the same ports', () => {
    const named = service({
      ports: [
        { name: 'web', port: 80, protocol: 'TCP', targetPort: 'http' },
        { name: 'metrics', port: 81, protocol: 'TCP', targetPort: 'metrics' },
        { name: 'fixed', port: 82, protocol: 'TCP', targetPort: 9000 },
      ],
    });
    const pods = [
      endpointPod('a', { addresses: ['10.0.0.1'], ports: { http: 8080 }, sidecarPorts: { metrics: 9100 } }),
      endpointPod('b', { addresses: ['10.0.0.2'], ports: { http: 8081 } }),
      endpointPod('c', { addresses: ['10.0.0.3'] }),
    ];
    expect(
      addresses(subsetsOf(named, pods))
        .map((subset) => JSON.stringify(subset))
        .sort(),
    ).toEqual(
      [
        [['10.0.0.1', '10.0.0.2', '10.0.0.3'], [], ['fixed:9000']],
        [['10.0.0.1'], [], ['metrics:9100', 'web:8080']],
        [['10.0.0.2'], [], ['web:8081']],
      ].map((subset) => JSON.stringify(subset)),
    );
  });

  it('have no ports if the Service is headless and has none, and are none if it is not headless', () => {
    expect(addresses(subsetsOf(service({ ports: [], clusterIP: 'None' }), [endpointPod('a')]))).toEqual([
      [['10.0.0.1'], [], []],
    ]);
    expect(subsetsOf(service({ ports: [] }), [endpointPod('a')])).toEqual([]);
  });

  it('have the address of the first family of the Service, and the hostname of its subdomain', () => {
    const dual = endpointPod('a', { addresses: ['10.0.0.1', 'fd00::1'], hostname: 'a', subdomain: 'web' });
    expect(subsetsOf(service({ ipFamilies: ['IPv6', 'IPv4'] }), [dual])).toMatchObject([
      { addresses: [{ ip: 'fd00::1', hostname: 'a' }] },
    ]);
    expect(subsetsOf(service({ ipFamilies: ['IPv6'] }), [endpointPod('b')])).toEqual([]);
    expect(
      subsetsOf(service({ ipFamilies: undefined as never, clusterIP: 'fd00:1::1' }), [dual]),
    ).toMatchObject([{ addresses: [{ ip: 'fd00::1' }] }]);
    const other = endpointPod('c', { hostname: 'c', subdomain: 'other' });
    expect(subsetsOf(service(), [other])[0]!.addresses![0]).not.toHaveProperty('hostname');
  });

  it('do not depend on the order of Pods, and list every address once for each port', () => {
    const ports = fc.record({
      http: fc.integer({ min: 1, max: 3 }),
      metrics: fc.integer({ min: 1, max: 2 }),
    });
    const pods = fc.array(fc.record({ ports, isReady: fc.boolean() }), { maxLength: 12 }).map((all) =>
      all.map(({ ports: one, isReady }, index) =>
        endpointPod(`p${index}`, {
          addresses: [`10.0.0.${index + 1}`],
          ports: one,
          ...(!isReady && { ready: undefined as never }),
        }),
      ),
    );
    const named = service({
      ports: [
        { name: 'web', port: 80, protocol: 'TCP', targetPort: 'http' },
        { name: 'metrics', port: 81, protocol: 'TCP', targetPort: 'metrics' },
      ],
    });
    fc.assert(
      fc.property(pods, (all) => {
        const subsets = subsetsOf(named, all);
        expect(subsetsOf(named, [...all].reverse())).toEqual(subsets);
        const listed = subsets.flatMap(({ addresses: ready = [], notReadyAddresses = [], ports: of = [] }) =>
          [...ready, ...notReadyAddresses].flatMap(({ ip }) =>
            of.map(({ name, port }) => `${ip} ${name} ${port}`),
          ),
        );
        const expected = all.flatMap(({ addresses: [ip], ports: of }) =>
          of.map(({ name, port }) => `${ip} ${name === 'http' ? 'web' : name} ${port}`),
        );
        expect(listed.sort()).toEqual(expected.sort());
      }),
    );
  });
});
