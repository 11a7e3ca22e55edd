import { describe, expect, test } from 'vitest';
import { FanOut } from '../../src/cache/fan-out.ts';
import { CacheEvent, CacheRecord, type EventType } from '../../src/cache/record.ts';
import { ResourceCache } from '../../src/cache/resource-cache.ts';
import { RetainedSnapshots } from '../../src/cache/retained-snapshots.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { createSortedMap } from '../../src/storage/sorted-map.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { retainedBuffers } from '../support/retained.ts';
import { DELIVERIES, plainReader, TestSink, turn, turnsUntil } from './support.ts';

const megabyte = 1 << 20;
const record = (revision: number, size: number) =>
  new CacheRecord('/r/a', revision, new Uint8Array(size), plainReader);

async function setUp(eventBytes: number, wrap: (storage: Storage) => Storage) {
  const storage = createMemoryStorage();
  const cache = new ResourceCache({ storage: wrap(storage), prefix: '/r/', reader: plainReader, eventBytes });
  await cache.ready();
  /** Makes `count` changes in one turn of the event loop. */
  const burst = (count: number, size: number) =>
    storage.createBatch(
      Array.from({ length: count }, () => ({
        key: `/r/${storage.revision}-${Math.random()}`,
        value: new Uint8Array(size),
      })),
    );
  return { storage, cache, burst };
}

test('queued events are bounded by bytes when many are written before watchers run', async () => {
  const overruns: number[] = [];
  const fanOut = new FanOut({
    watchersOf: () => [],
    needsCatchUp: () => undefined,
    onError: () => undefined,
    onOverflow: (revision) => overruns.push(revision),
    capacity: 8 * megabyte,
  });
  const before = await retainedBuffers();
  for (let revision = 1; revision <= 200; revision += 1) {
    fanOut.push(new CacheEvent(revision, '/r/a', record(revision, megabyte), undefined));
    expect(fanOut.bytes).toBeLessThanOrEqual(8 * megabyte);
  }
  expect(overruns.slice(0, 3)).toEqual([1, 9, 17]);
  expect((await retainedBuffers()) - before).toBeLessThan(10 * megabyte);
  await turnsUntil(() => fanOut.idle);
  expect(fanOut.bytes).toBe(0);
});

describe.each(
  [0, 64 << 10, 16 * megabyte].flatMap((eventBytes) =>
    DELIVERIES.map(([name, wrap]) => [eventBytes, name, wrap] as const),
  ),
)(
  'a burst that overflows the fan-out queue, with %i bytes of recent events, delivered %s',
  (eventBytes, _name, wrap) => {
    test('reaches every watcher completely, in order, without duplicates', async () => {
      const { cache, storage, burst } = await setUp(eventBytes, wrap);
      const start = cache.revision;
      const sinks = Array.from({ length: 8 }, () => new TestSink());
      for (const sink of sinks) cache.watch({ prefix: '/r/' }, start, sink);
      const elsewhere = new TestSink();
      cache.watch({ prefix: '/r/other/' }, start, elsewhere);
      for (let round = 0; round < 3; round += 1) {
        await burst(4000, 600);
        await turn();
      }
      const all = Array.from({ length: storage.revision - start }, (_, index) => start + 1 + index);
      for (const sink of sinks) {
        await turnsUntil(() => sink.ended || sink.revisions.length >= all.length);
        expect(sink.revisions).toEqual(all);
      }
      expect(elsewhere).toMatchObject({ revisions: [], ended: false });
      await burst(1, 1);
      await turnsUntil(() => sinks.every(({ revisions }) => revisions.at(-1) === storage.revision));
    });
  },
);

test.each(DELIVERIES)(
  'stalled consumers keep no events alive, and continue where they stopped; delivered %s',
  async (_name, wrap) => {
    const { cache, storage, burst } = await setUp(megabyte, wrap);
    const start = cache.revision;
    const sinks = Array.from({ length: 30 }, () => new TestSink(1));
    for (const sink of sinks) cache.watch({ prefix: '/r/' }, start, sink);
    await burst(200, 100_000);
    await turnsUntil(() => sinks.every(({ revisions }) => revisions.length === 1));
    for (const sink of sinks) sink.drain(3);
    await turnsUntil(() => sinks.every(({ revisions }) => revisions.length === 4));
    for (const sink of sinks) sink.drain(Number.POSITIVE_INFINITY);
    await turnsUntil(() => sinks.every(({ revisions }) => revisions.length === 200));
    expect(sinks[0]!.revisions.at(-1)).toBe(storage.revision);
  },
);

test.each(DELIVERIES)(
  'catching up yields to the event loop: no slice runs long; delivered %s',
  async (_name, wrap) => {
    const { cache, burst } = await setUp(16 * megabyte, wrap);
    const start = cache.revision;
    await burst(5000, 100);
    await cache.waitFresh('latest');
    const sinks = Array.from({ length: 100 }, () => new TestSink());
    for (const sink of sinks) cache.watch({ prefix: '/r/' }, start, sink);
    let turns = 0;
    await turnsUntil(() => {
      turns += 1;
      return sinks.every(({ revisions }) => revisions.length === 5000);
    });
    // 500,000 deliveries, which would take one turn without slices.
    expect(turns).toBeGreaterThan(5);
  },
);

test('snapshots retained for continue tokens keep a bounded amount of replaced records alive', async () => {
  const kept = new RetainedSnapshots(4 * megabyte);
  const tree = createSortedMap<CacheRecord>();
  const before = await retainedBuffers();
  for (let revision = 1; revision <= 64; revision += 1) {
    const old = tree.get('/r/a');
    tree.set('/r/a', record(revision, megabyte));
    if (old) kept.countReplaced(old);
    kept.retain(revision, tree.clone());
  }
  expect((await retainedBuffers()) - before).toBeLessThanOrEqual(6 * megabyte);
  expect([kept.has(64), kept.has(62), kept.has(58)]).toEqual([true, true, false]);
  kept.compact(63);
  expect([kept.has(63), kept.has(62)]).toEqual([true, false]);
});

/** Is ready for every second event only after a wait. */
class SlowSink extends TestSink {
  readonly #prepared = new Set<number>();
  #wait: Promise<void> | undefined;

  isReady(_type: EventType, { revision }: CacheRecord): boolean {
    if (revision % 2 === 0 || this.#prepared.has(revision)) return true;
    this.#wait = turn().then(() => {
      this.#prepared.add(revision);
      this.#wait = undefined;
    });
    return false;
  }

  override drained(): Promise<void> {
    return this.#wait ?? super.drained();
  }
}

test.each([0, 16 * megabyte])(
  'an event waits until its watch is ready for it, with %i bytes of recent events',
  async (eventBytes) => {
    const { cache, storage, burst } = await setUp(eventBytes, (storage) => storage);
    const start = cache.revision;
    const [slow, quick] = [new SlowSink(), new TestSink()];
    for (const sink of [slow, quick]) cache.watch({ prefix: '/r/' }, start, sink);
    for (let round = 0; round < 5; round += 1) {
      await burst(4, 10);
      await turn();
    }
    const all = Array.from({ length: storage.revision - start }, (_, index) => start + 1 + index);
    await turnsUntil(() => slow.ended || slow.revisions.length >= all.length);
    expect(slow).toMatchObject({ revisions: all, ended: false });
    expect(quick.revisions).toEqual(all);
  },
);
