import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import { type SmallServer, smallServer } from '../../support/small-server.ts';

const core = '/api/v1/namespaces/n/events';
const maps = '/api/v1/namespaces/n/configmaps';

let server: SmallServer;
beforeEach(async () => {
  server = smallServer({ storage: createMemoryStorage() });
  for (const name of ['a', 'b', 'c']) {
    await server.send('POST', core, { metadata: { name }, involvedObject: { namespace: 'n' } });
    await server.send('POST', maps, { metadata: { name } });
  }
});
afterEach(() => server.close());

describe.each([core, '/apis/events.k8s.io/v1/namespaces/n/events'])(
  '%s, which has no watch cache',
  (path) => {
    it('has the limit at version 0 too', async () => {
      const { object } = await server.send('GET', `${path}?limit=2&resourceVersion=0`);
      expect([object.items.length, object.metadata.remainingItemCount]).toEqual([2, 1]);
      const { start } = JSON.parse(Buffer.from(object.metadata.continue, 'base64url').toString());
      expect(start).toBe('b\0');
      const rest = await server.send('GET', `${path}?limit=2&continue=${object.metadata.continue}`);
      expect(rest.object.items).toHaveLength(1);
    });

    it.each([path, `${path}/a`])('reports a version that is not one, at %s', async (target) => {
      expect((await server.send('GET', `${target}?resourceVersion=x`)).object.message).toBe(
        'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
      );
    });
  },
);

it('reports errors of the metadata of a core event only if it has no others', async () => {
  const metadata = { name: 'd', labels: { 'a/': 'b' } };
  const causesOf = async (namespace: string) =>
    (await server.send('POST', core, { metadata, involvedObject: { namespace } })).object.details.causes.map(
      ({ field }: { field: string }) => field,
    );
  expect(await causesOf('other')).toEqual(['involvedObject.namespace']);
  expect(await causesOf('n')).toEqual(['metadata.labels', 'metadata.labels']);
});

it('other kinds are listed from the cache at version 0, without the limit', async () => {
  const { object } = await server.send('GET', `${maps}?limit=2&resourceVersion=0`);
  expect([object.items.length, object.metadata.continue]).toEqual([3, undefined]);
  expect((await server.send('GET', `${maps}?resourceVersion=x`)).object.message).toMatch(
    /^resourceVersion: /,
  );
});
