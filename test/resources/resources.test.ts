import { expect, it } from 'vitest';
import { schemeOf } from '../../src/model/scheme.ts';
import { Registry } from '../../src/resources/resources.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { builtinResources } from '../support/builtin-kinds.ts';
import { DEPENDENCIES } from '../support/builtin-resources.ts';

it('closes the cache of a removed resource, which ends its watches', async () => {
  const storage = createMemoryStorage();
  const registry = new Registry({
    scheme: schemeOf(),
    storage,
    dependencies: DEPENDENCIES,
    eventBytes: 1 << 20,
    encodingCacheBytes: 1 << 20,
  });
  const row = builtinResources().find(({ resource }) => resource === 'configmaps')!;
  const { stored } = registry.find('', 'v1', 'configmaps')!;
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
  registry.change({ remove: [row] });
  expect(ended).toBe(true);
  expect(registry.find('', 'v1', 'configmaps')).toBeUndefined();
  expect([...registry.stored]).toEqual([]);
  await storage.close();
});

it('keeps the cache of a prefix that another version still serves', async () => {
  const storage = createMemoryStorage();
  const registry = new Registry({
    scheme: schemeOf(),
    storage,
    dependencies: DEPENDENCIES,
    eventBytes: 1 << 20,
    encodingCacheBytes: 1 << 20,
  });
  const { stored } = registry.find('events.k8s.io', 'v1', 'events')!;
  registry.change({ remove: [registry.resources.find('events.k8s.io', 'v1', 'events')!] });
  expect(registry.find('', 'v1', 'events')?.stored).toBe(stored);
  await storage.close();
});
