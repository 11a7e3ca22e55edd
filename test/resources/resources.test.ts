import { expect, it } from 'vitest';
import { schemeOf } from '../../src/model/scheme.ts';
import { Resources } from '../../src/resources/resources.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { builtinResources } from '../support/builtin-kinds.ts';
import { DEPENDENCIES } from '../support/builtin-resources.ts';

it('closes the cache of a removed resource, which ends its watches', async () => {
  const storage = createMemoryStorage();
  const resources = new Resources({
    scheme: schemeOf(),
    storage,
    dependencies: DEPENDENCIES,
    eventBytes: 1 << 20,
    encodingCacheBytes: 1 << 20,
  });
  const row = builtinResources().find(({ resource }) => resource === 'configmaps')!;
  const { stored } = resources.find('', 'v1', 'configmaps')!;
  await stored.cache.ready();
  let ended = false;
  stored.cache.watch({ prefix: stored.prefix }, stored.cache.revision, {
    matches: () => true,
    deliver: () => true,
    drained: () => Promise.resolve(),
    end: () => {
      ended = true;
    },
  });
  resources.change({ remove: [row] });
  expect(ended).toBe(true);
  expect(resources.find('', 'v1', 'configmaps')).toBeUndefined();
  expect([...resources.stored]).toEqual([]);
  await storage.close();
});

it('keeps the cache of a prefix that another version still serves', async () => {
  const storage = createMemoryStorage();
  const resources = new Resources({
    scheme: schemeOf(),
    storage,
    dependencies: DEPENDENCIES,
    eventBytes: 1 << 20,
    encodingCacheBytes: 1 << 20,
  });
  const { stored } = resources.find('events.k8s.io', 'v1', 'events')!;
  resources.change({ remove: [resources.served.find('events.k8s.io', 'v1', 'events')!] });
  expect(resources.find('', 'v1', 'events')?.stored).toBe(stored);
  await storage.close();
});
