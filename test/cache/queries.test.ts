import { expect, it } from 'vitest';
import type { CacheRecord } from '../../src/cache/record.ts';
import { ResourceCache } from '../../src/cache/resource-cache.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { DELIVERIES, plainReader, TestSink, turnsUntil } from './support.ts';

const TEXTS = 100;
const textOf = (at: number): Uint8Array => Buffer.from(String(at % TEXTS));

async function setUp(wrap: (storage: Storage) => Storage) {
  const storage = createMemoryStorage();
  await storage.createBatch(
    Array.from({ length: 300 }, (_, at) => ({ key: `/r/n/k${at}`, value: textOf(at) })),
  );
  const cache = new ResourceCache({
    storage: wrap(storage),
    prefix: '/r/',
    reader: plainReader,
    eventBytes: 1 << 20,
  });
  await cache.ready();
  const counted = { reads: 0 };
  const query = (value: string) => ({
    name: 'text',
    value,
    read: (record: CacheRecord) => {
      counted.reads += 1;
      return Buffer.from(record.value).toString();
    },
  });
  const close = async () => {
    cache.close();
    await storage.close();
  };
  return { storage, cache, counted, query, close };
}

it.each(DELIVERIES)('finds records by what is asked repeatedly; delivered %s', async (_name, wrap) => {
  const { storage, cache, query, close } = await setUp(wrap);
  expect([1, 2, 3].map(() => cache.find([query('7')]))).toEqual([undefined, undefined, undefined]);
  await turnsUntil(() => cache.find([query('7')]) !== undefined);
  const keys = (value: string) => cache.find([query(value)])?.map(({ key }) => key);
  expect(keys('7')).toEqual(['/r/n/k107', '/r/n/k207', '/r/n/k7']);
  await storage.createBatch([{ key: '/r/n/k1070', value: textOf(7) }]);
  await cache.waitFresh('latest');
  await storage.transact({
    key: '/r/n/k7',
    expected: cache.get('/r/n/k7')!.revision,
    value: textOf(8),
  });
  await cache.waitFresh('latest');
  expect(keys('7')).toEqual(['/r/n/k107', '/r/n/k1070', '/r/n/k207']);
  expect(keys('8')).toContain('/r/n/k7');
  await close();
});

it.each(DELIVERIES)(
  'matches an event against the watches of the values before and after; delivered %s',
  async (_name, wrap) => {
    const { storage, cache, counted, query, close } = await setUp(wrap);
    const matched: string[] = [];
    const watches = Array.from({ length: TEXTS }, (_, at) => {
      const sink = new TestSink();
      const value = String(at);
      const matches = (record: CacheRecord) => {
        matched.push(value);
        return Buffer.from(record.value).toString() === value;
      };
      const watched = Object.assign(sink, { matches });
      return { sink, watch: cache.watch({ prefix: '/r/', query: query(value) }, cache.revision, watched) };
    });
    const { revision } = cache.get('/r/n/k7')!;
    await storage.transact({ key: '/r/n/k7', expected: revision, value: textOf(8) });
    await cache.waitFresh('latest');
    await turnsUntil(() => cache.hasDelivered);
    expect([...new Set(matched)].sort()).toEqual(['7', '8']);
    expect(counted.reads).toBe(2);
    expect([watches[7]!.sink.keys, watches[8]!.sink.keys]).toEqual([['/r/n/k7'], ['/r/n/k7']]);
    for (const { watch } of watches) expect(watch.deliveredRevision()).toBe(cache.revision);
    await close();
  },
);

it('resumes a watch behind the events that did not concern it', async () => {
  const { storage, cache, query, close } = await setUp((one) => one);
  const sink = new TestSink(1);
  cache.watch({ prefix: '/r/', query: query('one') }, cache.revision, sink);
  for (let at = 0; at < 50; at += 1)
    await storage.createBatch([{ key: `/r/other/${at}`, value: Buffer.from('other') }]);
  await turnsUntil(() => cache.hasDelivered);
  const before = cache.revision;
  const compacting = storage.compact?.(before);
  if (compacting !== undefined) await compacting;
  // The sink is full after the first: the second is read from the events in memory or the store's history.
  for (const name of ['a', 'b'])
    await storage.createBatch([{ key: `/r/one/${name}`, value: Buffer.from('one') }]);
  await turnsUntil(() => sink.keys.length === 1);
  sink.drain(Number.POSITIVE_INFINITY);
  await turnsUntil(() => sink.keys.length === 2 || sink.ended);
  expect([sink.keys, sink.ended]).toEqual([['/r/one/a', '/r/one/b'], false]);
  await close();
});
