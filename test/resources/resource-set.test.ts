import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareVersions } from '../../src/kinds/version-priority.ts';
import { ResourceSet } from '../../src/resources/resource-set.ts';
import { builtinResourceSet } from '../support/builtin-kinds.ts';
import { rowOf } from '../support/builtin-resources.ts';

const widget = (version: string) => rowOf('example.com', version, 'widgets', 'Widget');

describe('ResourceSet', () => {
  it('finds added resources and increments its generation once per change', () => {
    const set = builtinResourceSet();
    const seen: number[] = [];
    set.onChange(() => seen.push(set.generation));
    const rows = [widget('v1alpha1'), widget('v1')];
    set.change({ add: rows });
    expect(set.find('example.com', 'v1', 'widgets')).toBe(rows[1]);
    expect(set.findKind('example.com', 'v1alpha1', 'Widget')).toBe(rows[0]);
    expect(set.groups.at(-1)).toEqual({ group: 'example.com', versions: ['v1', 'v1alpha1'] });
    set.change({ remove: rows });
    expect(set.hasGroup('example.com')).toBe(false);
    expect(set.findKind('example.com', 'v1', 'Widget')).toBeUndefined();
    expect(seen).toEqual([1, 2]);
  });

  it('reports what changed, and finds the resources under a storage prefix', () => {
    const set = new ResourceSet([]);
    const changes: unknown[] = [];
    set.onChange((change) => changes.push(change));
    const [v1, v2] = [widget('v1'), widget('v2')];
    set.change({ add: [v1, v2] });
    const under = (prefix: string) => [...set.storedUnder(prefix)];
    expect(under('widgets')).toEqual([v1, v2]);
    set.change({ remove: new Set([v1]) });
    expect(under('widgets')).toEqual([v2]);
    set.change({ remove: [v1, v2] });
    expect([under('widgets'), set.servesPrefix('widgets')]).toEqual([[], false]);
    expect(changes).toEqual([
      { removed: [], added: [v1, v2] },
      { removed: [v1], added: [] },
      { removed: [v1, v2], added: [] },
    ]);
  });

  it('lists other groups by name after the built-in ones', () => {
    const set = builtinResourceSet();
    const builtin = set.groups.map(({ group }) => group);
    const add = ['b.test', 'a.test', 'c.test'].map((group) => rowOf(group, 'v1', 'things', 'Thing'));
    set.change({ add });
    expect(set.groups.map(({ group }) => group)).toEqual([...builtin, 'a.test', 'b.test', 'c.test']);
  });

  it('retains nothing of removed resources', () => {
    const set = builtinResourceSet();
    const before = { groups: set.groups, resources: set.resources };
    for (let round = 0; round < 100; round += 1) {
      const row = rowOf(`g${round}.example.com`, 'v1', 'widgets', 'Widget');
      set.change({ add: [row] });
      set.change({ remove: [row] });
    }
    expect({ groups: set.groups, resources: set.resources }).toEqual(before);
  });

  it('does not call back after the subscription has ended', () => {
    const set = new ResourceSet([]);
    let calls = 0;
    const end = set.onChange(() => {
      calls += 1;
    });
    end();
    set.change({ add: [widget('v1')] });
    expect(calls).toBe(0);
  });

  it('replaces a row of the same name, and ignores the removal of the replaced one', () => {
    const [first, second] = [widget('v1'), rowOf('example.com', 'v1', 'widgets', 'Gadget')];
    const set = new ResourceSet([first]);
    set.change({ add: [second] });
    expect(set.findKind('example.com', 'v1', 'Widget')).toBeUndefined();
    set.change({ remove: [first] });
    expect(set.find('example.com', 'v1', 'widgets')).toBe(second);
  });
});

describe('version priority', () => {
  const ORDER = [
    'v10',
    'v2',
    'v1',
    'v11beta2',
    'v10beta3',
    'v3beta1',
    'v12alpha1',
    'v11alpha2',
    'foo1',
    'foo10',
  ];

  it('sorts versions as for CustomResourceDefinitions', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(ORDER), (versions) => {
        expect([...versions].sort(compareVersions)).toEqual(
          ORDER.filter((version) => versions.includes(version)),
        );
      }),
    );
  });
});
