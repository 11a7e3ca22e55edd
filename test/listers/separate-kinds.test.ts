import { afterEach, beforeEach, expect, it } from 'vitest';
import { MetadataInformer } from '../../src/listers/metadata-informer.ts';
import { RoutedStorage } from '../../src/storage/etcd/routed-storage.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { settle } from '../reconcile/manual-clock.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';

let main: Storage;
let other: Storage;
let server: SmallServer;
let informer: MetadataInformer;
let seen: string[];

beforeEach(() => {
  main = createMemoryStorage();
  other = createMemoryStorage();
  const storage = new RoutedStorage(main, [{ prefix: '/registry/secrets/', storage: other }]);
  server = smallServer({ storage });
  seen = [];
  informer = new MetadataInformer({
    resources: server.resources,
    storage,
    logger: { detail: () => undefined } as never,
  });
  informer.listen({
    startListing: () => seen.push('list'),
    finishListing: () => seen.push('listed'),
    put: ({ kind, name, revision }) => seen.push(`put ${kind.store} ${name} ${revision}`),
    remove: ({ kind, name }) => seen.push(`remove ${kind.store} ${name}`),
    addKinds: () => undefined,
    forgetKind: () => undefined,
  });
});
afterEach(async () => {
  await informer.stop();
  await server.close();
});

const create = async (path: string, name: string) => {
  const { status, object } = await server.send('POST', path, { metadata: { name } });
  expect(status).toBe(201);
  return Number((object as { metadata: { resourceVersion: string } }).metadata.resourceVersion);
};

it.each([
  ['before', 0, 20],
  ['after', 20, 0],
])('lists and watches resources of another store, which is %s the main one', async (_, inMain, inOther) => {
  for (let count = 0; count < inMain; count += 1)
    await main.transact({ key: `/other/${count}`, expected: 0, value: Buffer.from('x') });
  for (let count = 0; count < inOther; count += 1)
    await other.transact({ key: `/other/${count}`, expected: 0, value: Buffer.from('x') });
  const [map, secret] = [await create(CONFIG_MAPS, 'a'), await create(SECRETS, 'b')];
  informer.start();
  await informer.synced;
  await settle();
  expect(seen).toEqual(
    expect.arrayContaining([`put configmaps a ${map}`, `put secrets b ${secret}`, 'listed']),
  );
  seen.length = 0;
  const later = await create(SECRETS, 'c');
  expect((await server.send('DELETE', `${SECRETS}/b`)).status).toBe(200);
  await create(CONFIG_MAPS, 'd');
  await settle();
  expect(seen).toContain(`put secrets c ${later}`);
  expect(seen).toContain('remove secrets b');
  expect(seen.some((text) => text.startsWith('put configmaps d'))).toBe(true);
});
