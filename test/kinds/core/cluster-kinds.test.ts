import { describe, expect, it } from 'vitest';
import { namespaceStrategy } from '../../../src/kinds/core/namespace.ts';
import { nodeStrategy, nodes } from '../../../src/kinds/core/nodes/node.ts';
import type { KubernetesObject } from '../../../src/model/object.ts';
import { contextOf, created, defaulted, errorsOf, updated } from '../run-strategy.ts';

describe('namespace strategy', () => {
  const createNamespace = (object: object): KubernetesObject =>
    created(namespaceStrategy, { metadata: { name: 'a', namespace: undefined }, ...object }).object;

  it('sets the name label, the finalizer and the phase at creation', () => {
    const object = createNamespace({
      metadata: { name: 'a', labels: { 'kubernetes.io/metadata.name': 'other', b: 'c' } },
      spec: { finalizers: ['example.test/own'] },
    });
    expect(object).toMatchObject({
      metadata: { labels: { 'kubernetes.io/metadata.name': 'a', b: 'c' } },
      spec: { finalizers: ['example.test/own', 'kubernetes'] },
      status: { phase: 'Active' },
    });
  });

  it('changes finalizers through the finalize subresource only', () => {
    const old = createNamespace({});
    expect(
      updated(namespaceStrategy, { metadata: { name: 'a' }, spec: { finalizers: [] } }, old).object.spec,
    ).toEqual({ finalizers: ['kubernetes'] });
    const finalized = updated(
      namespaceStrategy,
      { metadata: { name: 'a' }, spec: { finalizers: ['bad'] }, status: { phase: 'Other' } },
      old,
      contextOf({ subresource: 'finalize' }),
    );
    expect(finalized.object.status).toEqual({ phase: 'Active' });
    expect(finalized.errors).toEqual([
      'spec.finalizers[0]: Invalid value: "bad": name is neither a standard finalizer name nor is it fully qualified',
    ]);
    const [active, terminating] = ['Active', 'Terminating'].map((phase) => ({ spec: {}, status: { phase } }));
    expect(
      [old, active!, terminating!].map((object) => namespaceStrategy.deletion!.isFinalized!(object)),
    ).toEqual([false, false, true]);
  });

  it('rejects a phase that contradicts the deletion timestamp', () => {
    const status = { phase: 'Terminating' };
    const context = contextOf({ subresource: 'status' });
    expect(updated(namespaceStrategy, { status }, createNamespace({}), context).errors).toEqual([
      `status.Phase: Invalid value: "Terminating": may only be 'Active' if \`deletionTimestamp\` is empty`,
    ]);
    expect(
      updated(
        namespaceStrategy,
        { status, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } },
        createNamespace({}),
        context,
      ).errors,
    ).toEqual([]);
  });

  it('terminates without a grace period', () => {
    const object = createNamespace({ metadata: { name: 'a', generation: 4, deletionGracePeriodSeconds: 0 } });
    namespaceStrategy.deletion!.prepare!(object);
    expect(object).toMatchObject({ status: { phase: 'Terminating' }, metadata: { generation: 3 } });
    expect(object.metadata).not.toHaveProperty('deletionGracePeriodSeconds');
  });
});

describe('node strategy', () => {
  it('defaults podCIDR and allocatable', () => {
    const { status, spec } = defaulted(nodeStrategy, {
      spec: { podCIDRs: ['198.51.100.0/24'] },
      status: { capacity: { cpu: '4', memory: '1.0001m' }, allocatable: {} },
    }) as {
      status: object;
      spec: object;
    };
    expect(status).toEqual({ capacity: { cpu: '4', memory: '2m' }, allocatable: { cpu: '4', memory: '2m' } });
    expect(spec).toEqual({ podCIDR: '198.51.100.0/24', podCIDRs: ['198.51.100.0/24'] });
  });

  it.each([
    [{ spec: { taints: [{ key: 'a' }] } }, ['metadata.taints[0].effect: Required value']],
    [
      { spec: { taints: [{ key: 'a', effect: 'Whatever' }] } },
      [
        'metadata.taints[0].effect: Unsupported value: "Whatever": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
    ],
    [
      {
        spec: {
          taints: [
            { key: 'a', effect: 'NoSchedule' },
            { key: 'a', effect: 'NoSchedule', value: 'v' },
          ],
        },
      },
      [
        'metadata.taints[1]: Duplicate value: core.Taint{Key:"a", Value:"v", Effect:"NoSchedule", TimeAdded:<nil>}: taints must be unique by key and effect pair',
      ],
    ],
    [
      { spec: { podCIDR: 'x' } },
      [
        'spec.podCIDRs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
    ],
    [
      { spec: { podCIDRs: ['198.51.100.0/24', '203.0.113.0/24'] } },
      [
        'spec.podCIDRs: Invalid value: []string{"198.51.100.0/24", "203.0.113.0/24"}: may specify no more than one CIDR for each IP family',
      ],
    ],
    [{ spec: { podCIDRs: ['198.51.100.0/24', '2001:db8::/64'] } }, []],
    [
      { status: { capacity: { pods: '-1' } } },
      ['status.capacity.pods', 'status.allocatable.pods'].map(
        (field) => `${field}: Invalid value: "-1": must be greater than or equal to 0`,
      ),
    ],
  ])('validates %j', (object, expected) => expect(errorsOf(nodeStrategy, object)).toEqual(expected));

  it('rejects changes of podCIDRs and providerID', () => {
    const { object: old } = created(nodeStrategy, {
      spec: { providerID: 'test://1', podCIDRs: ['198.51.100.0/24'] },
    });
    expect(updated(nodeStrategy, { spec: { providerID: 'test://2' } }, old).errors).toEqual([
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    ]);
    expect(nodes.fieldSelectors['spec.unschedulable']!({ spec: { unschedulable: true } })).toBe('true');
    expect(nodes.fieldSelectors['spec.unschedulable']!({})).toBe('false');
  });
});
