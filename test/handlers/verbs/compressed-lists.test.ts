import { describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import { type SmallServer, smallServer } from '../../support/small-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const COUNT = 400;

const configMap = (at: number, text: string) => ({
  metadata: { name: `m${at}`, labels: { even: String(at % 2 === 0) } },
  data: { text: `${text} ${at} `.repeat(150), mark: '<é>' },
});

async function filled(): Promise<SmallServer> {
  const server = smallServer({ storage: createMemoryStorage() });
  for (let at = 0; at < COUNT; at += 1) await server.send('POST', maps, configMap(at, 'first'));
  return server;
}

const QUERIES = ['', '?resourceVersion=0', '?limit=350', '?labelSelector=even%3Dtrue', '?limit=399'];

describe.each(['application/json', PROTOBUF])('a compressed list as %s', (accept) => {
  it('has the bytes of the list, whatever changes between', async () => {
    const server = await filled();
    const get = (query: string, compression?: string) =>
      server.send('GET', maps + query, undefined, undefined, accept, compression);
    const compare = async () => {
      for (const query of QUERIES) {
        const plain = await get(query);
        const [first, second] = await Promise.all([get(query, 'gzip'), get(query, 'gzip')]);
        expect([plain.compression, first.compression, second.compression]).toEqual([
          undefined,
          'gzip',
          'gzip',
        ]);
        expect(first.bytes.equals(plain.bytes) && second.bytes.equals(plain.bytes)).toBe(true);
      }
    };
    await compare();
    await server.send('PUT', `${maps}/m17`, configMap(17, 'second'));
    await compare();
    await server.send('DELETE', `${maps}/m200`);
    await server.send('POST', maps, configMap(COUNT, 'first'));
    await compare();
    await server.send('POST', maps, configMap(200, 'first'));
    await compare();
    await server.close();
  });
});

it('compresses runs of records once', async () => {
  const server = await filled();
  const get = () => server.send('GET', maps, undefined, undefined, undefined, 'gzip');
  await get();
  const { encodingCache } = server.resources;
  const before = encodingCache.bytes;
  await get();
  expect(encodingCache.bytes).toBe(before);
  await server.close();
});
