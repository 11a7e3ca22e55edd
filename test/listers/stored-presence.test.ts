import { expect, it } from 'vitest';
import { StoreKeys } from '../../src/listers/stored-presence.ts';
import { PODS, SERVICE_ACCOUNTS, SERVICES } from '../../src/reconcile/resources.ts';
import type { Resources } from '../../src/resources/resources.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { turnsUntil } from '../cache/support.ts';
import { ManualClock, settle } from '../reconcile/manual-clock.ts';
import { LateStorage } from '../storage/late-storage.ts';
import { resourcesOn } from '../support/resources-on.ts';

function fixture(wrap: (storage: Storage) => Storage = (storage) => storage) {
  const storage = wrap(createMemoryStorage());
  const resources: Resources = resourcesOn(storage);
  const clock = new ManualClock();
  const put = (key: string) =>
    storage.transact({ key: `/registry/${key}`, expected: 0, value: Buffer.from('{}') });
  return { storage, resources, clock, keys: new StoreKeys(resources, storage, clock), put };
}

it('tells once when a first object is stored, and fills no cache', async () => {
  const { keys, put, resources } = fixture();
  let told = 0;
  keys.whenAny(PODS, () => {
    told += 1;
  });
  await put('serviceaccounts/ns/a');
  await settle();
  expect([told, await keys.hasAny(PODS), await keys.hasAny(SERVICE_ACCOUNTS)]).toEqual([0, false, true]);
  await put('pods/ns/a');
  await put('pods/ns/b');
  await settle();
  expect([told, await keys.hasAny(PODS)]).toEqual([1, true]);
  expect([...resources.stored].filter(({ cache }) => cache.isLive)).toEqual([]);
});

it('tells of an object that was stored before', async () => {
  const { keys, put } = fixture((storage) => new LateStorage(storage));
  await put('pods/ns/a');
  let told = 0;
  keys.whenAny(PODS, () => {
    told += 1;
  });
  await turnsUntil(() => told > 0);
  expect(told).toBe(1);
});

it('does not tell of an object that alone is nothing to do', async () => {
  const { keys, put, resources } = fixture();
  const others = { ...SERVICES, besides: 'default/kubernetes' };
  await put('services/specs/default/kubernetes');
  let told = 0;
  const listen = () =>
    keys.whenAny(others, () => {
      told += 1;
    });
  listen();
  await settle();
  resources.internal('', 'services').stored.cache.wrote('/registry/services/specs/default/kubernetes', {
    record: {} as never,
    revision: 9,
  });
  expect([told, await keys.hasAny(others), await keys.hasAny(SERVICES)]).toEqual([0, false, true]);
  await put('services/specs/default/web');
  await settle();
  expect([told, await keys.hasAny(others)]).toEqual([1, true]);
});

it('tells of an own write before its event', async () => {
  const { keys, resources } = fixture();
  let told = 0;
  keys.whenAny(PODS, () => {
    told += 1;
  });
  const { cache } = resources.internal('', 'pods').stored;
  cache.wrote('/registry/pods/ns/a', { record: undefined, revision: 1 });
  expect(told).toBe(0);
  cache.wrote('/registry/pods/ns/a', { record: {} as never, revision: 2 });
  expect(told).toBe(1);
});

it('asks the store again when it did not answer or ended the watch', async () => {
  const { keys, put, clock, storage } = fixture();
  const { watch, range } = storage;
  let ends: ((error: Error) => void) | undefined;
  storage.watch = (options) => {
    ends = options.onEnd;
    return { close: () => undefined, requestProgress: () => undefined };
  };
  let told = 0;
  const end = keys.whenAny(PODS, () => {
    told += 1;
  });
  await settle();
  await put('pods/ns/a');
  ends!(new Error('compacted'));
  storage.range = () => Promise.reject(new Error('unavailable'));
  clock.advance(1000);
  await settle();
  expect(told).toBe(0);
  Object.assign(storage, { watch, range });
  clock.advance(1000);
  await settle();
  expect([told, clock.waiting]).toEqual([1, 0]);
  end();
});

it('tells nothing after its end', async () => {
  const { keys, put } = fixture();
  let told = 0;
  keys.whenAny(PODS, () => {
    told += 1;
  })();
  await put('pods/ns/a');
  await settle();
  expect(told).toBe(0);
});
