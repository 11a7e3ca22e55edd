import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCbor } from '../../../src/codec/cbor.ts';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import { type SmallServer, smallServer } from '../../support/small-server.ts';

let server: SmallServer;
beforeAll(() => {
  server = smallServer({ storage: createMemoryStorage(), cbor: true });
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

it('a watch from a version that the store does not reach has one event: the version has expired', async () => {
  const { status, object } = await server.send('GET', `${PATH}?watch=1&resourceVersion=1000`);
  expect(status).toBe(200);
  expect(object).toMatchObject({
    type: 'ERROR',
    object: {
      code: 410,
      reason: 'Expired',
      message: expect.stringMatching(/of another store: revision 1000 is newer than the current \d+\.$/),
    },
  });
});

describe('events in CBOR', () => {
  const TAG = 'd9d9f7';
  const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const events = async (rest: string): Promise<string> =>
    (
      await server.send('GET', `${PATH}?${query}&${rest}`, undefined, undefined, 'application/cbor')
    ).bytes.toString('hex');
  const textItem = (text: string): string => Buffer.from(writeCbor(text)).subarray(3).toString('hex');

  it('have objects that are items of their own', async () => {
    expect(await events('resourceVersion=1000')).toContain(`${textItem('object')}${TAG}`);
  });

  it('name the empty list in CBOR', async () => {
    const list = writeCbor({ kind: 'ConfigMapList', apiVersion: 'v1', metadata: {}, items: null });
    expect(await events('timeoutSeconds=-1')).toContain(textItem(Buffer.from(list).toString('base64')));
  });
});
