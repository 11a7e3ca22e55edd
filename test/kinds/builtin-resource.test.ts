import { describe, expect, it } from 'vitest';
import { defineResource } from '../../src/kinds/builtin-resource.ts';
import { BuiltinResources, builtinStrategies } from '../../src/kinds/builtin-resources.ts';
import { BUILTIN_GROUPS } from '../../src/kinds/index.ts';
import { compareVersions } from '../../src/kinds/version-priority.ts';
import { schemeOf } from '../../src/model/scheme.ts';
import { BUILTIN_RESOURCES, builtinResourceOf, findBuiltinResource } from '../support/builtin-kinds.ts';
import { DEPENDENCIES } from '../support/builtin-resources.ts';

const scheme = schemeOf();

describe('a declared resource', () => {
  const declared = defineResource({
    group: 'example.com',
    versions: ['v1', { name: 'v1beta1', deprecation: { since: '1.31', unavailable: '1.35' } }],
    resource: 'widgets',
    kind: 'Widget',
    subresources: ['status', { name: 'log', verbs: ['get'] }],
    fieldSelectors: { 'spec.size': ({ spec }) => String((spec as { size: number }).size) },
  });

  it('has a row per version, which are stored in the first one', () => {
    const [stable, beta] = declared.rowsIn(scheme);
    expect(stable).toMatchObject({
      version: 'v1',
      listKind: 'WidgetList',
      singular: 'widget',
      namespaced: true,
      optional: false,
      deprecationWarning: undefined,
      fieldSelectors: ['spec.size'],
      storage: { prefix: 'widgets', apiVersion: 'example.com/v1', encoding: 'protobuf' },
    });
    expect(stable!.subresources).toEqual([
      { name: 'status', kind: 'Widget', verbs: ['get', 'patch', 'update'] },
      { name: 'log', kind: 'Widget', verbs: ['get'] },
    ]);
    expect(beta).toMatchObject({
      version: 'v1beta1',
      optional: true,
      deprecationWarning: 'example.com/v1beta1 Widget is deprecated in v1.31+, unavailable in v1.35+',
    });
    expect(beta!.storage!.versionHash).toBe(stable!.storage!.versionHash);
  });

  it('has the subresources of feature gates in the rows with these gates only', () => {
    const gated = defineResource({
      group: 'example.com',
      versions: ['v1'],
      resource: 'widgets',
      kind: 'Widget',
      subresources: ['status', { name: 'turn', gate: 'WatchList' }],
    });
    const none = () => false;
    const namesOf = (rows: ReturnType<typeof gated.rowsIn>) => rows[0]!.subresources.map(({ name }) => name);
    expect(namesOf(gated.rowsIn(scheme, none))).toEqual(['status']);
    const turning = gated.rowsIn(scheme, (gate) => gate === 'WatchList');
    expect(namesOf(turning)).toEqual(['status', 'turn']);
    expect(turning[0]!.subresources[1]).toMatchObject({
      kind: 'Widget',
      verbs: ['get', 'patch', 'update'],
    });
    const resources = new BuiltinResources(scheme, [[gated]], none);
    expect(resources.withGates(none)).toBe(resources);
    const withTurning = resources.withGates((gate) => gate === 'WatchList');
    expect(namesOf(withTurning.rows)).toEqual(['status', 'turn']);
    expect(withTurning.resourceOf(withTurning.rows[0]!)).toBe(gated);
  });

  it('reads its selectable fields', () => {
    expect(declared.fieldSelectors['spec.size']!({ spec: { size: 3 } })).toBe('3');
  });

  it('has no storage without the verbs get and create', () => {
    const review = defineResource({
      group: 'example.com',
      versions: ['v1'],
      resource: 'reviews',
      kind: 'Review',
      scope: 'Cluster',
      verbs: ['create'],
    });
    expect(review.rowsIn(scheme)[0]).toMatchObject({ namespaced: false, storage: undefined });
  });
});

describe('the built-in resources', () => {
  it('are listed once, with their group', () => {
    expect(new Set(BUILTIN_GROUPS.map(([first]) => first!.group)).size).toBe(BUILTIN_GROUPS.length);
    for (const resources of BUILTIN_GROUPS)
      expect(new Set(resources.map(({ group }) => group)).size, resources[0]!.group).toBe(1);
    const names = BUILTIN_RESOURCES.map(({ group, version, resource }) => `${group}/${version}/${resource}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('declare their preferred version first', () => {
    for (const { rowsIn, resource } of BUILTIN_GROUPS.flat()) {
      const versions = rowsIn(scheme).map(({ version }) => version);
      expect([...versions].sort(compareVersions), resource).toEqual(versions);
    }
  });

  it('are found by row and by name', () => {
    for (const row of BUILTIN_RESOURCES)
      expect(builtinResourceOf(row)).toBe(findBuiltinResource(row.group, row.resource));
    expect(findBuiltinResource('', 'constructor')).toBeUndefined();
  });

  it('have one strategy for all versions', () => {
    const strategyOf = builtinStrategies(DEPENDENCIES);
    const events = findBuiltinResource('events.k8s.io', 'events')!;
    expect(strategyOf(events)).toBe(strategyOf(events));
    expect(strategyOf(events).timeToLiveSeconds!({})).toBe(3600);
    expect(strategyOf(findBuiltinResource('', 'limitranges')!)).not.toBe(strategyOf(events));
  });
});
