import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import { type SmallServer, smallServer } from '../../support/small-server.ts';

let server: SmallServer;
beforeAll(() => {
  server = smallServer({ storage: createMemoryStorage() });
  Object.assign(server.operations, { futureRevisionWait: 1 });
});
afterAll(() => server.close());

const PATH = '/api/v1/configmaps';
const TOO_LARGE = {
  code: 504,
  reason: 'Timeout',
  details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
};

it('a list from a version of the future is refused', async () => {
  const { status, object } = await server.send('GET', `${PATH}?resourceVersion=1000`);
  expect(status).toBe(504);
  expect(object).toMatchObject(TOO_LARGE);
});

it.each([
  undefined,
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
])('a streaming list from a version of the future has one event, an error: %s', async (accept) => {
  const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const path = `${PATH}?${query}&resourceVersion=1000`;
  const { status, object } = await server.send('GET', path, undefined, undefined, accept);
  expect(status).toBe(200);
  expect(object).toMatchObject({ type: 'ERROR', object: TOO_LARGE });
});
