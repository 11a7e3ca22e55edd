import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import { type SmallServer, smallServer } from '../../support/small-server.ts';

const maps = '/api/v1/namespaces/n/configmaps';
const LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

let server: SmallServer;

beforeEach(async () => {
  server = smallServer({ storage: createMemoryStorage() });
  await server.send('POST', maps, { metadata: { name: 'm' } });
});
afterEach(() => server.close());

it('finds the object before it reports that one object is not a list', async () => {
  expect((await server.send('GET', `${maps}/none`, undefined, undefined, LIST)).status).toBe(404);
  const { status, object } = await server.send('GET', `${maps}/m`, undefined, undefined, LIST);
  expect([status, object.message]).toEqual([
    406,
    'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
  ]);
});

it('ignores parameters without a value', async () => {
  const accept = 'application/json;as=;g=;v=';
  expect((await server.send('GET', `${maps}/m`, undefined, undefined, accept)).object.kind).toBe('ConfigMap');
});
