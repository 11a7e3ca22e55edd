import { describe, expect, it } from 'vitest';
import { DiscoveredKinds } from '../../../src/extensions/aggregation/remote-kinds.ts';

const VERBS = ['get', 'list', 'watch', 'delete'];
const resource = (name: string, kind: string, scope = 'Namespaced') => ({
  resource: name,
  singularResource: name.slice(0, -1),
  responseKind: { group: '', version: '', kind },
  scope,
  verbs: VERBS,
});
const version = (name: string, resources: readonly ReturnType<typeof resource>[] | undefined) => ({
  group: 'g.test',
  version: name,
  server: 'default/g:443',
  resources,
  freshness: 'Current' as const,
});

function kindsOf(versions: ReturnType<typeof version>[]) {
  let listener: (() => void) | undefined;
  const discovery = {
    generation: 1,
    versions: () => versions,
    onChange(given: () => void) {
      listener = given;
      return () => {
        listener = undefined;
      };
    },
  };
  const priorities = {
    generation: 1,
    // v2 is preferred.
    compareVersions: (_group: string, left: string, right: string) => (left > right ? -1 : 1),
  };
  const routes = { find: (_group: string, name: string) => (name === 'v1' ? ({} as never) : undefined) };
  return { kinds: new DiscoveredKinds(discovery, priorities, routes), discovery, notify: () => listener?.() };
}

describe('the kinds of extension servers', () => {
  it('have one preferred version, whichever version is named', () => {
    const { kinds } = kindsOf([
      version('v1', [resource('things', 'Thing'), resource('olds', 'Old', 'Cluster')]),
      version('v2', [resource('things', 'Thing')]),
    ]);
    const thing = {
      group: 'g.test',
      version: 'v2',
      resource: 'things',
      kind: 'Thing',
      namespaced: true,
      verbs: VERBS,
    };
    expect(kinds.findKind('g.test/v1', 'Thing')).toEqual(thing);
    expect(kinds.findKind('g.test/v2', 'Thing')).toEqual(thing);
    expect(kinds.findKind('g.test/v1', 'Old')).toMatchObject({ version: 'v1', namespaced: false });
    expect(kinds.findKind('g.test/v2', 'Old')).toBeUndefined();
    expect(kinds.preferred().map((kind) => `${kind.resource} ${kind.version}`)).toEqual([
      'things v2',
      'olds v1',
    ]);
  });

  it('are unknown while a server was never discovered, but the version is remote', () => {
    const { kinds } = kindsOf([version('v1', undefined), version('v2', [resource('', 'Thing')])]);
    expect(kinds.preferred()).toEqual([]);
    expect(kinds.findKind('g.test/v1', 'Thing')).toBeUndefined();
    expect([kinds.isRemote('g.test', 'v1'), kinds.isRemote('g.test', 'v2')]).toEqual([true, false]);
  });

  it('follow the changes of discovery', () => {
    const versions = [version('v1', [resource('things', 'Thing')])];
    const { kinds, discovery, notify } = kindsOf(versions);
    expect(kinds.preferred()).toHaveLength(1);
    let changes = 0;
    const end = kinds.onChange(() => {
      changes += 1;
    });
    versions.length = 0;
    discovery.generation = 2;
    notify();
    expect([changes, kinds.preferred()]).toEqual([1, []]);
    end();
    notify();
    expect(changes).toBe(1);
  });
});
