import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EndpointSubset, Endpoints } from '../../../src/model/generated/core-v1.ts';
import type { EndpointSlice } from '../../../src/model/generated/discovery-v1.ts';
import { runNow } from '../../../src/steps/run.ts';
import { planMirror } from '../../../src/workloads/endpoint-slice-mirroring/mirror.ts';
import { isMirrored } from '../../../src/workloads/endpoint-slice-mirroring/mirror-slice.ts';

const endpointsOf = (subsets: EndpointSubset[], metadata: Endpoints['metadata'] = {}): Endpoints => ({
  metadata: { namespace: 'ns', name: 'web', uid: 'endpoints', ...metadata },
  subsets,
});

const plan = (endpoints: Endpoints, slices: readonly EndpointSlice[] = [], maximum = 1000) =>
  runNow(planMirror(endpoints, slices, maximum));

const stored = (slices: readonly EndpointSlice[]): EndpointSlice[] =>
  slices.map((slice, index) => ({
    ...slice,
    metadata: { ...slice.metadata, name: `web-${index}`, resourceVersion: '7' },
  }));

const port = (number: number, name = `p${number}`) => ({ name, port: number, protocol: 'TCP' });

const ips = (...all: string[]) => all.map((ip) => ({ ip }));

/** What slices list: `address ready ports`. */
const listed = (slices: readonly EndpointSlice[]): string[] =>
  slices
    .flatMap(({ endpoints = [], ports = [] }) =>
      endpoints.map(
        ({ addresses, conditions }) =>
          `${addresses!.join()} ${conditions!.ready} ${ports
            .map((one) => one.port)
            .sort()
            .join()}`,
      ),
    )
    .sort();

describe('the slices that mirror Endpoints', () => {
  it('have their labels and annotations, but those of tools, and each address with what is known of it', () => {
    const annotations = {
      mine: 'x',
      'endpoints.kubernetes.io/last-change-trigger-time': 'now',
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
    };
    const address = { ip: '10.0.0.1', nodeName: 'n', hostname: 'a', targetRef: { kind: 'Pod', name: 'a' } };
    const { changes } = plan(
      endpointsOf([{ addresses: [address], notReadyAddresses: ips('fd00::1'), ports: [port(80, '')] }], {
        labels: { app: 'web' },
        annotations,
      }),
    );
    expect(changes.create).toEqual([
      {
        metadata: {
          generateName: 'web-',
          namespace: 'ns',
          labels: {
            app: 'web',
            'kubernetes.io/service-name': 'web',
            'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
          },
          annotations: { mine: 'x' },
          ownerReferences: [
            {
              apiVersion: 'v1',
              kind: 'Endpoints',
              name: 'web',
              uid: 'endpoints',
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        },
        addressType: 'IPv4',
        endpoints: [
          {
            addresses: ['10.0.0.1'],
            conditions: { ready: true },
            nodeName: 'n',
            hostname: 'a',
            targetRef: { kind: 'Pod', name: 'a' },
          },
        ],
        ports: [{ name: '', port: 80, protocol: 'TCP' }],
      },
      expect.objectContaining({
        addressType: 'IPv6',
        endpoints: [{ addresses: ['fd00::1'], conditions: { ready: false } }],
      }),
    ]);
  });

  it('are not written again, but when Endpoints, labels, annotations or their owner are others', () => {
    const subsets = [{ addresses: ips('10.0.0.1', '10.0.0.2'), ports: [port(80)] }];
    const slices = stored(plan(endpointsOf(subsets)).changes.create);
    const changesTo = (endpoints: Endpoints): number[] => {
      const { create, update, remove, keep } = plan(endpoints, slices).changes;
      return [create.length, update.length, remove.length, keep.length];
    };
    expect(changesTo(endpointsOf(subsets))).toEqual([0, 0, 0, 1]);
    expect(changesTo(endpointsOf([{ ...subsets[0]!, addresses: ips('10.0.0.1') }]))).toEqual([0, 1, 0, 0]);
    expect(changesTo(endpointsOf(subsets, { labels: { app: 'web' } }))).toEqual([0, 1, 0, 0]);
    expect(changesTo(endpointsOf(subsets, { annotations: { mine: 'x' } }))).toEqual([0, 1, 0, 0]);
    expect(changesTo(endpointsOf(subsets, { uid: 'others' }))).toEqual([0, 1, 0, 0]);
    expect(changesTo(endpointsOf([{ ...subsets[0]!, ports: [port(81)] }]))).toEqual([1, 0, 1, 0]);
    expect(changesTo(endpointsOf([]))).toEqual([0, 0, 1, 0]);
    const { update } = plan(endpointsOf([{ ...subsets[0]!, addresses: ips('10.0.0.1') }]), slices).changes;
    expect(update[0]!.metadata).toMatchObject({ name: 'web-0', resourceVersion: '7' });
    const twice = plan(endpointsOf(subsets), [...slices, ...slices]).changes;
    expect([twice.keep.length, twice.remove.length]).toEqual([1, 1]);
  });

  it('have each address once, and ports together that the same addresses have', () => {
    const { changes } = plan(
      endpointsOf([
        { addresses: ips('10.0.0.1'), ports: [port(80)] },
        { addresses: ips('10.0.0.1'), ports: [port(81)] },
        { addresses: ips('10.0.0.2'), notReadyAddresses: ips('10.0.0.3'), ports: [port(82)] },
        { addresses: ips('10.0.0.3'), ports: [port(82), port(82)] },
      ]),
    );
    expect(listed(changes.create)).toEqual(['10.0.0.1 true 80,81', '10.0.0.2 true 82', '10.0.0.3 false 82']);
    expect(changes.create.length).toBe(2);
  });

  it('have no more addresses than they may, ready ones first, and what is left out is counted', () => {
    const subset = { addresses: ips('10.0.0.1', 'nowhere'), notReadyAddresses: ips('10.0.0.2', '10.0.0.3') };
    const { changes, invalid, skipped } = plan(endpointsOf([{ ...subset, ports: [port(80)] }]), [], 2);
    expect(listed(changes.create)).toEqual(['10.0.0.1 true 80', '10.0.0.2 false 80']);
    expect([invalid, skipped]).toEqual([1, 2]);
  });

  it('are of a hundred sets of ports at most', () => {
    const subsets = Array.from({ length: 130 }, (_, index) => ({
      addresses: ips(`10.0.0.${index}`),
      ports: [port(index + 1)],
    }));
    const { changes, omitted } = plan(endpointsOf(subsets));
    expect([changes.create.length, omitted]).toEqual([100, 30]);
  });

  it('list all that Endpoints list, whatever that is, and then come to rest', () => {
    const addresses = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 4 });
    const ports = fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(fc.tuple(addresses, addresses, ports), { maxLength: 5 }), (all) => {
        const expected = new Map<string, boolean>();
        const list = (pods: readonly number[], of: readonly number[], ready: boolean): void => {
          for (const pod of pods)
            for (const number of of) {
              const key = `10.0.0.${pod} ${number}`;
              expected.set(key, ready && expected.get(key) !== false);
            }
        };
        for (const [ready, notReady, of] of all) {
          list(ready, of, true);
          list(notReady, of, false);
        }
        const endpoints = endpointsOf(
          all.map(([ready, notReady, of]) => ({
            addresses: ips(...ready.map((pod) => `10.0.0.${pod}`)),
            notReadyAddresses: ips(...notReady.map((pod) => `10.0.0.${pod}`)),
            ports: of.map((number) => port(number)),
          })),
        );
        const { create } = plan(endpoints).changes;
        const found = create.flatMap(({ endpoints: of = [], ports: numbers = [] }) =>
          of.flatMap(({ addresses: [ip] = [], conditions }) =>
            numbers.map(({ port: number }) => `${ip} ${number} ${conditions!.ready}`),
          ),
        );
        expect(found.sort()).toEqual([...expected].map(([key, ready]) => `${key} ${ready}`).sort());
        expect(new Set(create.flatMap(({ ports: of = [] }) => of.map((one) => one.port))).size).toBe(
          create.flatMap(({ ports: of = [] }) => of).length,
        );
        expect(plan(endpoints, stored(create)).changes).toMatchObject({ create: [], update: [], remove: [] });
      }),
    );
  });

  it('are none of Endpoints that elect a leader, or that say so', () => {
    expect(isMirrored({})).toBe(true);
    expect(isMirrored({ labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } })).toBe(false);
    expect(isMirrored({ annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } })).toBe(false);
  });
});
