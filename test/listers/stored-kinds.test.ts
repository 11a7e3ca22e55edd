import { expect, it } from 'vitest';
import { StoredKinds } from '../../src/listers/stored-kinds.ts';
import { ResourceSet } from '../../src/resources/resource-set.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import type { Storage, WatchOptions } from '../../src/storage/storage.ts';
import { ManualClock } from '../reconcile/manual-clock.ts';
import { rowOf } from '../support/builtin-resources.ts';

const MAPS = rowOf('', 'v1', 'configmaps', 'ConfigMap');
const resources = () => new ResourceSet([MAPS, rowOf('', 'v1', 'nodes', 'Node', { scope: 'Cluster' })]);

it('finds namespaced kinds, and reports kinds that change', () => {
  const set = resources();
  const kinds = new StoredKinds(set, createMemoryStorage(), new ManualClock());
  expect(kinds.find({ group: '', resource: 'configmaps' })).toBe(MAPS);
  expect(kinds.find({ group: '', resource: 'nodes' })).toBeUndefined();
  const changed: unknown[] = [];
  const end = kinds.onChange((some) => changed.push(some));
  set.change({ remove: [MAPS] });
  end();
  set.change({ add: [MAPS] });
  expect(changed).toEqual([[MAPS]]);
});

it('counts the objects of one namespace, and reports removed ones', async () => {
  const storage = createMemoryStorage();
  const kinds = new StoredKinds(resources(), storage, new ManualClock());
  const [revision] = await storage.createBatch(
    ['n/a', 'n/b', 'n-other/a'].map((name) => ({
      key: `/registry/configmaps/${name}`,
      value: Buffer.from('x'),
    })),
  );
  const removed: unknown[] = [];
  const end = kinds.onRemoval(MAPS, (namespace) => removed.push(namespace));
  await storage.transact({ key: '/registry/configmaps/n/a', expected: revision!, value: undefined });
  expect(await kinds.count(MAPS, 'n')).toBe(1);
  expect(await kinds.count(rowOf('example.com', 'v1', 'absents', 'Absent'), 'n')).toBe(0);
  end();
  await storage.transact({ key: '/registry/configmaps/n/b', expected: revision! + 1, value: undefined });
  expect(removed).toEqual(['n']);
});

it('reports that removals may have been missed after a watch has ended', () => {
  const watches: WatchOptions[] = [];
  let closed = 0;
  const storage = {
    watch(options: WatchOptions) {
      watches.push(options);
      return { close: () => closed++, requestProgress: () => undefined };
    },
  } as unknown as Storage;
  const clock = new ManualClock();
  const removed: unknown[] = [];
  const end = new StoredKinds(resources(), storage, clock).onRemoval(MAPS, (namespace) =>
    removed.push(namespace),
  );
  watches[0]!.onEnd(new Error('compacted'));
  expect([watches.length, removed]).toEqual([1, []]);
  clock.advance(1000);
  expect([watches.length, removed]).toEqual([2, [undefined]]);
  end();
  expect(closed).toBe(1);
});
