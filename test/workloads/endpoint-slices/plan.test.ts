import { describe, expect, it } from 'vitest';
import type { Service } from '../../../src/model/generated/core-v1.ts';
import type { EndpointSlice } from '../../../src/model/generated/discovery-v1.ts';
import type { PodSummary } from '../../../src/reconcile/pods/pod-summary.ts';
import { familiesOf, ofOtherFamilies, planFamily } from '../../../src/workloads/endpoint-slices/plan.ts';
import { endpointPod, service } from '../service-pods/objects.ts';

interface World {
  readonly service?: Service;
  readonly slices?: readonly EndpointSlice[];
}

function plan(
  pods: readonly PodSummary[],
  { service: of = service(), slices = [] }: World = {},
  family = 'IPv4',
) {
  const zoneOf = (node: string) => (node === 'gone' ? undefined : { zone: node === 'n' ? 'a' : undefined });
  return planFamily({ service: of, pods, slices, zoneOf, maximum: 100 }, family as 'IPv4');
}

/** Slices as they are after a plan. */
const stored = ({ changes }: ReturnType<typeof plan>): EndpointSlice[] =>
  [...changes.create, ...changes.update, ...changes.keep].map((slice, index) => ({
    ...slice,
    metadata: { name: `web-${index}`, ...slice.metadata },
  }));

describe('the slices of a Service', () => {
  it('say of each Pod whether it is ready, serves and goes, on which node and in which zone', () => {
    const pods = [
      endpointPod('a', { hostname: 'a', subdomain: 'web' }),
      endpointPod('b', { ready: undefined as never, node: 'elsewhere' }),
      endpointPod('c', { deleted: true }),
      endpointPod('d', { phase: 'Failed' }),
      endpointPod('e', { addresses: [] }),
    ];
    const { create } = plan(pods).changes;
    expect(create).toMatchObject([
      {
        metadata: {
          generateName: 'web-',
          namespace: 'ns',
          labels: {
            'kubernetes.io/service-name': 'web',
            'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
          },
          ownerReferences: [
            {
              apiVersion: 'v1',
              kind: 'Service',
              name: 'web',
              uid: 'service',
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        },
        addressType: 'IPv4',
        ports: [{ name: '', port: 8080, protocol: 'TCP' }],
      },
    ]);
    expect(create[0]!.endpoints).toEqual([
      {
        addresses: ['10.0.0.1'],
        conditions: { ready: true, serving: true, terminating: false },
        hostname: 'a',
        nodeName: 'n',
        zone: 'a',
        targetRef: { kind: 'Pod', namespace: 'ns', name: 'a', uid: 'a' },
      },
      {
        addresses: ['10.0.0.1'],
        conditions: { ready: false, serving: false, terminating: false },
        nodeName: 'elsewhere',
        targetRef: { kind: 'Pod', namespace: 'ns', name: 'b', uid: 'b' },
      },
      expect.objectContaining({ conditions: { ready: false, serving: true, terminating: true } }),
    ]);
    const published = plan(pods, { service: service({ publishNotReadyAddresses: true }) }).changes.create[0]!;
    expect(published.endpoints!.map(({ conditions }) => conditions!.ready)).toEqual([true, true, true]);
  });

  it('are one for each list of ports, and one without ports if there are no endpoints', () => {
    const named = service({ ports: [{ name: 'web', port: 80, protocol: 'TCP', targetPort: 'http' }] });
    const pods = [endpointPod('a', { ports: { http: 1 } }), endpointPod('b', { ports: { http: 2 } })];
    const first = plan(pods, { service: named });
    expect(first.changes.create.map(({ ports }) => ports![0]!.port)).toEqual([1, 2]);
    const fewer = plan(pods.slice(1), { service: named, slices: stored(first) }).changes;
    expect([fewer.create.length, fewer.update.length, fewer.remove.length, fewer.keep.length]).toEqual([
      0, 0, 1, 1,
    ]);
    const none = plan([], { service: named });
    expect(none.changes.create).toMatchObject([{ endpoints: [], ports: [] }]);
    const again = plan([], { service: named, slices: stored(none) }).changes;
    expect([again.create, again.remove, again.keep.length]).toEqual([[], [], 1]);
    const sidecar = [endpointPod('s', { sidecarPorts: { http: 3 } })];
    expect(plan(sidecar, { service: named }).changes.create).toMatchObject([{ ports: [] }]);
  });

  it('follow the labels of the Service', () => {
    const first = stored(plan([endpointPod('a')]));
    const { keep } = plan([endpointPod('a')], { slices: first }).changes;
    expect(keep).toEqual(first);
    const labelled = service(
      { clusterIP: 'None' },
      { labels: { tier: 'front', 'kubernetes.io/service-name': 'no' } },
    );
    const { update } = plan([endpointPod('a')], { service: labelled, slices: first }).changes;
    expect(update[0]!.metadata!.labels).toEqual({
      tier: 'front',
      'service.kubernetes.io/headless': '',
      'kubernetes.io/service-name': 'web',
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
    });
  });

  it('of a former Service are removed', () => {
    const former = stored(plan([endpointPod('a')], { service: service({}, { uid: 'former' }) }));
    const { create, remove } = plan([endpointPod('a')], { slices: former }).changes;
    expect([create.length, remove]).toEqual([1, former]);
  });

  it('leave out Pods on nodes that do not exist, unless those that are not ready are published', () => {
    const pods = [endpointPod('a'), endpointPod('b', { node: 'gone' })];
    const { skipped, changes } = plan(pods);
    expect([skipped.map(({ name }) => name), changes.create[0]!.endpoints!.length]).toEqual([['b'], 1]);
    const all = plan(pods, { service: service({ publishNotReadyAddresses: true }) });
    expect([all.skipped, all.changes.create[0]!.endpoints!.length]).toEqual([[], 2]);
  });

  it('are of the families of the Service', () => {
    expect(familiesOf(service({ ipFamilies: ['IPv6', 'IPv4'] }))).toEqual(['IPv6', 'IPv4']);
    expect(familiesOf(service({ ipFamilies: [], clusterIP: 'fd00::1' }))).toEqual(['IPv6']);
    expect(familiesOf(service({ ipFamilies: [], clusterIP: 'None' }))).toEqual(['IPv4', 'IPv6']);
    const dual = endpointPod('a', { addresses: ['10.0.0.1', 'fd00::1'] });
    const six = plan([dual], {}, 'IPv6');
    expect(six.changes.create[0]!.endpoints![0]!.addresses).toEqual(['fd00::1']);
    const slices = [...stored(six), ...stored(plan([dual]))];
    const input = { service: service(), pods: [], slices, zoneOf: () => undefined, maximum: 100 };
    expect(ofOtherFamilies(input).map(({ addressType }) => addressType)).toEqual(['IPv6']);
  });
});
