import { describe, expect, test } from 'vitest';
import { ResourceCache } from '../../src/cache/resource-cache.ts';
import { ManyChangesStorage } from '../storage/many-changes-storage.ts';
import { DELIVERIES, plainReader, TestSink, turn, turnsUntil } from './support.ts';

const COUNT = 1500;
const keyOf = (index: number) => `/r/n${index % 2}/${String(index).padStart(4, '0')}`;
const keys = Array.from({ length: COUNT }, (_, index) => keyOf(index));

/** Events of revision n have the keys of `byRevision[n]`, in order. */
function expectWhole(sink: TestSink, byRevision: ReadonlyMap<number, readonly string[]>): void {
  const expected = [...byRevision].flatMap(([revision, of]) => of.map((key) => `${revision} ${key}`));
  expect(sink.revisions.map((revision, index) => `${revision} ${sink.keys[index]}`)).toEqual(expected);
}

describe.each(
  [0, 20_000, 16 << 20].flatMap((eventBytes) =>
    DELIVERIES.map(([name, wrap]) => [eventBytes, name, wrap] as const),
  ),
)(
  '1,500 deletes at one revision, with %i bytes of recent events, delivered %s',
  (eventBytes, _name, wrap) => {
    async function setUp() {
      const storage = new ManyChangesStorage();
      const value = new Uint8Array(100);
      storage.change(keys.map((key) => ({ key, value })));
      const cache = new ResourceCache({
        storage: wrap(storage),
        prefix: '/r/',
        reader: plainReader,
        eventBytes,
      });
      await cache.ready();
      const start = cache.revision;
      const before = storage.change([{ key: '/r/n0/before', value }]);
      const deletion = storage.change(keys.map((key) => ({ key, value: undefined })));
      const after = storage.change([{ key: '/r/n1/after', value }]);
      const expected = (prefix: string) =>
        new Map([
          [before, ['/r/n0/before'].filter((key) => key.startsWith(prefix))],
          [deletion, keys.filter((key) => key.startsWith(prefix))],
          [after, ['/r/n1/after'].filter((key) => key.startsWith(prefix))],
        ]);
      return { storage, cache, start, before, deletion, after, expected };
    }

    test('reach live watchers, also those of one namespace', async () => {
      const storage = new ManyChangesStorage();
      const value = new Uint8Array(100);
      const created = storage.change(keys.map((key) => ({ key, value })));
      const cache = new ResourceCache({
        storage: wrap(storage),
        prefix: '/r/',
        reader: plainReader,
        eventBytes,
      });
      await cache.ready();
      const [all, one] = [new TestSink(), new TestSink()];
      cache.watch({ prefix: '/r/' }, created, all);
      cache.watch({ prefix: '/r/n1/' }, created, one);
      const deletion = storage.change(keys.map((key) => ({ key, value: undefined })));
      await turnsUntil(() => all.keys.length === COUNT && one.keys.length === COUNT / 2);
      await turn();
      expectWhole(all, new Map([[deletion, keys]]));
      expectWhole(one, new Map([[deletion, keys.filter((key) => key.startsWith('/r/n1/'))]]));
      expect(cache.size).toBe(0);
    });

    test('reach slow watchers completely, whose position is never inside the revision', async () => {
      const { cache, start, before, deletion, after, expected } = await setUp();
      for (const prefix of ['/r/', '/r/n1/']) {
        const sink = new TestSink(1);
        const watch = cache.watch({ prefix }, start, sink);
        const wanted = [...expected(prefix).values()].flat().length;
        const positions = new Set<number>();
        while (sink.keys.length < wanted) {
          const seen = sink.keys.length;
          sink.drain(37);
          await turnsUntil(() => sink.keys.length >= Math.min(seen + 37, wanted) || sink.ended);
          expect(sink.ended).toBe(false);
          if (sink.keys.length < wanted) positions.add(watch.deliveredRevision());
          if (sink.revisions.at(-1) === deletion && sink.keys.length < wanted - 1)
            expect(watch.deliveredRevision()).toBeLessThan(deletion);
        }
        expectWhole(sink, expected(prefix));
        for (const position of positions) expect([start, before, deletion, after]).toContain(position);
        sink.drain(Number.POSITIVE_INFINITY);
        await turnsUntil(() => watch.deliveredRevision() === after);
        watch.close();
      }
    });

    test('reach watchers that resume before, at and after the revision', async () => {
      const { cache, start, before, deletion, after, expected } = await setUp();
      await cache.waitFresh('latest');
      for (const from of [start, before, deletion, after]) {
        const sink = new TestSink();
        const watch = cache.watch({ prefix: '/r/' }, from, sink);
        await turnsUntil(() => watch.deliveredRevision() === after || sink.ended);
        expectWhole(sink, new Map([...expected('/r/')].filter(([revision]) => revision > from)));
        watch.close();
      }
    });

    test('reach watchers that join while they are delivered', async () => {
      const { cache, storage, start } = await setUp();
      await cache.waitFresh('latest');
      const sinks: TestSink[] = [];
      const value = new Uint8Array(100);
      const created = storage.change(keys.map((key) => ({ key, value })));
      for (let round = 0; round < 20; round += 1) {
        const sink = new TestSink(round % 3 === 0 ? 100 : Number.POSITIVE_INFINITY);
        sinks.push(sink);
        cache.watch({ prefix: '/r/' }, start, sink);
        if (round === 5) storage.change(keys.map((key) => ({ key, value: undefined })));
        if (round % 4 === 0) await turn();
      }
      const total = 2 + 3 * COUNT;
      await turnsUntil(() => {
        for (const sink of sinks) if (sink.room <= 0) sink.drain(100);
        return sinks.every((sink) => sink.ended || sink.keys.length >= total);
      });
      await turn();
      for (const sink of sinks) {
        expect(sink.keys).toHaveLength(total);
        expect(sink.revisions).toEqual([...sink.revisions].sort((one, other) => one - other));
        expect(sink.revisions.filter((revision) => revision === created)).toHaveLength(COUNT);
        expect(sink.keys).toEqual(sinks[0]!.keys);
      }
    });
  },
);
