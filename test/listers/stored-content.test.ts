import { beforeEach, describe, expect, it } from 'vitest';
import { type ResourceRow, storageRow } from '../../src/kinds/resource-row.ts';
import { StoredContent } from '../../src/listers/stored-content.ts';
import { ResourceSet } from '../../src/resources/resource-set.ts';
import { UnreadableKinds } from '../../src/resources/unreadable-kinds.ts';
import { CorruptObjectError } from '../../src/storage/corrupt-object.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import type { ImmediateStorage, RangeOptions } from '../../src/storage/storage.ts';
import { rowOf } from '../support/builtin-resources.ts';

const custom = (group: string, plural: string, version = 'v1'): ResourceRow => ({
  ...rowOf(group, version, plural, plural),
  storage: storageRow(group, 'v1', plural, { prefix: `${group}/${plural}`, encoding: 'json' }),
});
const cluster = { ...custom('a.test', 'clusters'), namespaced: false };

describe('the stored content of a namespace', () => {
  let storage: ImmediateStorage;
  let ranges: RangeOptions[];
  let resources: ResourceSet;
  let unreadable: UnreadableKinds;
  let content: StoredContent;
  beforeEach(() => {
    storage = createMemoryStorage();
    ranges = [];
    resources = new ResourceSet([
      rowOf('', 'v1', 'configmaps', 'ConfigMap'),
      rowOf('', 'v1', 'nodes', 'Node', { scope: 'Cluster' }),
      cluster,
    ]);
    const counted = Object.create(storage, {
      range: {
        value: (options: RangeOptions) => {
          ranges.push(options);
          return storage.range(options);
        },
      },
    });
    unreadable = new UnreadableKinds();
    content = new StoredContent({ served: resources, unreadable }, counted);
  });
  const fill = (prefix: string, namespace: string, count: number, metadata: object = {}) =>
    storage.createBatch(
      Array.from({ length: count }, (_, index) => ({
        key: `/registry/${prefix}/${namespace}/object-${index}`,
        value: Buffer.from(JSON.stringify({ apiVersion: 'x', metadata, spec: {} })),
      })),
    );
  const names = async (namespace: string) =>
    (await content.find(namespace)).map(
      ({ group, version, resource: name }) => `${name}.${group}/${version}`,
    );

  it('is found in one pass that skips other namespaces and kinds without objects', async () => {
    for (let number = 0; number < 1000; number += 1)
      resources.change({ add: [custom('many.test', `k${number}`)] });
    resources.change({ add: [custom('a.test', 'things'), custom('a.test', 'bigs')] });
    for (const namespace of ['a', 'n', 'z']) await fill('a.test/bigs', namespace, 2000);
    await fill('a.test/clusters', 'n', 2000);
    await fill('a.test/things', 'a', 3);
    await fill('a.test/things', 'n', 3);
    await storage.createBatch(
      Array.from({ length: 5000 }, (_, index) => ({
        key: `/registry/nodes/n${index}`,
        value: Buffer.from(''),
      })),
    );
    await fill('unknown.test/kinds', 'n', 2000);
    await fill('configmaps', 'n-other', 1);
    await fill('many.test/k7', 'n', 1);
    await storage.createBatch([{ key: '/registry/single', value: Buffer.from('x') }]);
    expect(await names('n')).toEqual(['bigs.a.test/v1', 'things.a.test/v1', 'k7.many.test/v1']);
    expect(ranges.every(({ keysOnly }) => keysOnly)).toBe(true);
    expect(ranges.length).toBeLessThan(10);
    expect(await names('n-other')).toEqual(['configmaps./v1']);
    expect(await names('nothing')).toEqual([]);
  });

  it('is named in the storage version, if that is served, and follows the set of kinds', async () => {
    await fill('a.test/things', 'n', 1);
    expect(await names('n')).toEqual([]);
    resources.change({ add: [custom('a.test', 'things', 'v2')] });
    expect(await names('n')).toEqual(['things.a.test/v2']);
    resources.change({ add: [custom('a.test', 'things', 'v1')] });
    expect(await names('n')).toEqual(['things.a.test/v1']);
  });

  it('has the kinds whose definition cannot be read', async () => {
    await fill('a.test/things', 'n', 1);
    unreadable.set('things.a.test', new CorruptObjectError('/registry/key', new Error('damaged')));
    expect([await names('n'), await names('o')]).toEqual([['things.a.test/v1'], []]);
    unreadable.delete('things.a.test');
    expect(await names('n')).toEqual([]);
  });

  it('is read as metadata, of objects that cannot be read too', async () => {
    const things = custom('a.test', 'things');
    resources.change({ add: [things] });
    await fill('a.test/things', 'n', 600, { finalizers: ['x.test/held'] });
    await fill('a.test/things', 'o', 1);
    await storage.createBatch([
      { key: '/registry/a.test/things/n/broken', value: Buffer.from('{"metadata":[}') },
    ]);
    const found: unknown[] = [];
    for await (const metadata of content.metadata(things, 'n')) found.push(metadata);
    expect(found).toHaveLength(601);
    expect([found[0], found[1]]).toEqual([{}, { finalizers: ['x.test/held'] }]);
    resources.change({ remove: [things] });
    for await (const metadata of content.metadata(things, 'n')) expect(metadata).toBeUndefined();
  });
});
