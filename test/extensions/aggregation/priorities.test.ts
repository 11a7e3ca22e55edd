import { describe, expect, it } from 'vitest';
import { DiscoveryPriorities } from '../../../src/extensions/aggregation/priorities.ts';

const registered = (group: string, version: string, minimum: number, priority: number) => ({
  name: `${version}.${group}`,
  group,
  version,
  groupPriorityMinimum: minimum,
  versionPriority: priority,
  service: undefined,
  caBundle: '',
  insecureSkipTLSVerify: false,
  conditions: [],
});

describe('the order of discovery', () => {
  it('sorts groups by their highest minimum, then by name', () => {
    const order = new DiscoveryPriorities();
    for (const one of [
      registered('b.test', 'v1', 100, 1),
      registered('a.test', 'v1', 100, 1),
      registered('c.test', 'v1', 10, 1),
      registered('c.test', 'v2', 19_000, 1),
    ])
      order.set(one.name, one);
    const groups = ['a.test', 'apps', 'b.test', 'unregistered.test', 'c.test', 'apiregistration.k8s.io'];
    expect(groups.sort(order.compareGroups)).toEqual([
      'apiregistration.k8s.io',
      'c.test',
      'apps',
      'unregistered.test',
      'a.test',
      'b.test',
    ]);
  });

  it('sorts versions by priority, then by version order', () => {
    const order = new DiscoveryPriorities();
    for (const [version, priority] of [
      ['v1', 15],
      ['v2', 15],
      ['v1beta1', 15],
      ['v2alpha1', 99],
    ] as const)
      order.set(`${version}.g.test`, registered('g.test', version, 1, priority));
    const versions = ['v1', 'v1beta1', 'v2', 'v2alpha1'];
    expect(versions.sort((left, right) => order.compareVersions('g.test', left, right))).toEqual([
      'v2alpha1',
      'v2',
      'v1',
      'v1beta1',
    ]);
  });

  it('stays the same when a definition is registered with the expected priorities', () => {
    const order = new DiscoveryPriorities();
    const one = registered('g.test', 'v1', 1000, 100);
    order.set(one.name, one);
    order.set(one.name, { ...one, conditions: [{ type: 'Available', status: 'True' }] });
    expect(order.generation).toBe(0);
    order.set(one.name, { ...one, groupPriorityMinimum: 2000 });
    expect(order.generation).toBe(1);
    order.set(one.name, undefined);
    expect(order.generation).toBe(2);
  });
});
