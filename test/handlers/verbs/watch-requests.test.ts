import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import { type SmallServer, smallServer } from '../../support/small-server.ts';

const maps = '/api/v1/namespaces/n/configmaps';
const watch = `${maps}?watch=1&timeoutSeconds=-1`;

let server: SmallServer;

beforeEach(async () => {
  server = smallServer({ storage: createMemoryStorage() });
  await server.send('POST', maps, { metadata: { name: 'm' } });
});
afterEach(() => server.close());

it('ends a watch whose time is over at once', async () => {
  expect((await server.send('GET', watch)).status).toBe(200);
});

it('ignores the continue token of a watch from a version', async () => {
  expect((await server.send('GET', `${watch}&resourceVersion=1&continue=x`)).status).toBe(200);
  expect((await server.send('GET', `${watch}&continue=x`)).status).toBe(422);
});

it('watches no subresources', async () => {
  const legacy = '/api/v1/watch/namespaces/n/configmaps/m/status?timeoutSeconds=-1';
  expect((await server.send('GET', legacy)).status).toBe(404);
});

it('says which forms of the object a Table can include', async () => {
  const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
  const { object } = await server.send('GET', `${maps}?includeObject=x`, undefined, undefined, accept);
  expect(object.message).toBe(
    `Unable to convert to Table as requested: includeObject: Invalid value: "x": must be 'Metadata', 'Object', 'None', or empty`,
  );
});

it('writes the fields of a v1beta1 list of metadata at their numbers', async () => {
  const accept = 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1beta1';
  const { bytes } = await server.send('GET', maps, undefined, undefined, accept);
  const text = bytes.toString('latin1');
  // The message begins after its kind: metadata with the version "1" or more as field 2.
  expect(text.slice(text.indexOf('MetadataList') + 12)).toMatch(/^\x12.{1,2}\x12.\n\x00\x12/s);
});
