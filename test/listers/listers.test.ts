import { expect, it } from 'vitest';
import { createListers } from '../../src/listers/listers.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { LateStorage } from '../storage/late-storage.ts';
import { resourcesOn } from '../support/resources-on.ts';

const namespaceObject = { metadata: { name: 'new', uid: 'u' } };

async function createdElsewhere(storage: Storage) {
  const resources = resourcesOn(storage);
  const { stored } = resources.internal('', 'namespaces');
  await stored.cache.ready();
  return { resources, key: stored.key('', 'new'), value: stored.codec.encode(namespaceObject) };
}

it('reads an object that the cache does not have yet from a shared store', async () => {
  const storage = new LateStorage(createMemoryStorage());
  const { resources, key, value } = await createdElsewhere(storage);
  const { admission } = createListers(resources, () => undefined);
  storage.hold();
  await storage.transact({ key, expected: 0, value });
  expect(await admission.namespace('new')).toMatchObject(namespaceObject);
  expect(await admission.namespace('absent')).toBeUndefined();
  const reads = storage.gets;
  storage.release();
  expect(await admission.namespace('new')).toMatchObject(namespaceObject);
  expect(storage.gets).toBe(reads);
  resources.close();
});

it('asks a store of this process only through the cache', async () => {
  const storage = createMemoryStorage();
  const { resources } = await createdElsewhere(storage);
  expect(createListers(resources, () => undefined).admission.namespace('absent')).toBeUndefined();
  resources.close();
});
