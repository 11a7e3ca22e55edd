import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEmbeddedStorage } from '../../../src/storage/embedded/index.ts';
import { FakeClock } from '../fake-clock.ts';
import { bytes, put, Recorder, remove, text } from '../helpers.ts';
import { temporaryDirectory } from '../temporary.ts';

const all = { start: '/', end: '0' };

test('values, revisions, history and compaction survive a restart', async () => {
  const directory = temporaryDirectory();
  let storage = await openEmbeddedStorage({ directory });
  const a1 = await put(storage, '/a', 'one');
  const b1 = await put(storage, '/b', 'b');
  const a2 = await put(storage, '/a', 'two', a1);
  const gone = await remove(storage, '/b', b1);
  await storage.compact(b1);
  await storage.close();

  storage = await openEmbeddedStorage({ directory });
  expect(storage.revision).toBe(gone);
  expect(storage.compactedRevision).toBe(b1);
  expect(
    (await storage.range(all)).entries.map(
      (entry) => `${entry.key} ${text(entry.value)} ${entry.revision} ${entry.createRevision}`,
    ),
  ).toEqual([`/a two ${a2} ${a1}`]);
  expect((await storage.range({ ...all, revision: a2 })).count).toBe(2);
  const late = new Recorder(storage, b1);
  await late.until(() => late.events.length === 3);
  expect(late.events.map((event) => [event.type, event.revision, event.previous?.revision])).toEqual([
    ['put', b1, undefined],
    ['put', a2, a1],
    ['delete', gone, b1],
  ]);
  await expect(new Recorder(storage, a1).ended).resolves.toMatchObject({ name: 'CompactedError' });
  expect(await put(storage, '/c', 'c')).toBe(gone + 1);
  await storage.close();
});

test('a compacted deletion at the newest revision does not let the revision be reused', async () => {
  const directory = temporaryDirectory();
  let storage = await openEmbeddedStorage({ directory });
  const gone = await remove(storage, '/a', await put(storage, '/a', ''));
  await storage.compact(gone);
  await storage.close();
  storage = await openEmbeddedStorage({ directory });
  expect(storage.revision).toBe(gone);
  await storage.close();
});

test('leases survive a restart, after which expired keys are deleted', async () => {
  const directory = temporaryDirectory();
  const clock = new FakeClock();
  let storage = await openEmbeddedStorage({ directory, clock });
  await put(storage, '/short', '', 0, 10);
  await put(storage, '/long', '', 0, 1000);
  await storage.close();
  clock.advance(60_000);
  storage = await openEmbeddedStorage({ directory, clock });
  const recorder = new Recorder(storage);
  clock.advance(1);
  await recorder.until(() => recorder.events.length === 1);
  expect(recorder.events[0]).toMatchObject({ type: 'delete', key: '/short' });
  expect(await storage.count('/', '0')).toBe(1);
  await storage.close();
});

test('a watch that starts before the events in memory reads the disk first, without a gap', async () => {
  const storage = await openEmbeddedStorage({ directory: temporaryDirectory(), recentEventBytes: 5000 });
  const witness = new Recorder(storage);
  const revisions = new Map<string, number>();
  const write = async (round: number) => {
    const key = `/k${round % 7}`;
    revisions.set(key, await put(storage, key, `${round}`.repeat(20), revisions.get(key) ?? 0));
  };
  for (let round = 0; round < 200; round += 1) await write(round);
  const late = new Recorder(storage, witness.revisions[3]!);
  for (let round = 200; round < 260; round += 1) await write(round);
  await late.until(() => late.revisions.at(-1) === storage.revision);
  expect(late.events).toEqual(witness.events.slice(3));
  await storage.close();
});

test('the file stays bounded when the same keys are rewritten and compacted', async () => {
  const directory = temporaryDirectory();
  const storage = await openEmbeddedStorage({ directory });
  const keys = Array.from({ length: 500 }, (_, index) => `/registry/pods/default/pod-${index}`);
  const value = new Uint8Array(1000).fill(1);
  const revisions = await storage.createBatch(keys.map((key) => ({ key, value })));
  const sizes: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    const results = await Promise.all(
      keys.map((key, index) => storage.transact({ key, expected: revisions[index]!, value })),
    );
    results.forEach((result, index) => {
      expect(result.succeeded).toBe(true);
      revisions[index] = result.revision;
    });
    await storage.compact(storage.revision);
    sizes.push(statSync(join(directory, 'data.mdb')).size);
  }
  expect(sizes.at(-1)!).toBeLessThanOrEqual(sizes[9]! * 1.2);
  expect(sizes.at(-1)!).toBeLessThan(6_000_000);
  expect(await storage.count('/', '0')).toBe(500);
  await storage.close();
});

test('history is bounded by bytes without explicit compaction', async () => {
  const directory = temporaryDirectory();
  const storage = await openEmbeddedStorage({ directory, maximumHistoryBytes: 1_000_000 });
  const value = new Uint8Array(10_000).fill(1);
  const revisions: number[] = new Array(20).fill(0);
  for (let round = 0; round < 60; round += 1) {
    const results = await Promise.all(
      revisions.map((expected, index) => storage.transact({ key: `/k${index}`, expected, value })),
    );
    results.forEach((result, index) => {
      expect(result.succeeded).toBe(true);
      revisions[index] = result.revision;
    });
  }
  expect(storage.revision - storage.compactedRevision).toBeGreaterThan(40);
  expect(storage.revision - storage.compactedRevision).toBeLessThan(150);
  expect(statSync(join(directory, 'data.mdb')).size).toBeLessThan(4_000_000);
  await storage.close();
});

test('writers never wait long for compaction', async () => {
  const storage = await openEmbeddedStorage({ directory: temporaryDirectory() });
  let revision = 0;
  const value = new Uint8Array(100);
  for (let round = 0; round < 20; round += 1) {
    await storage.createBatch(
      Array.from({ length: 500 }, (_, index) => ({ key: `/k/${round}/${index}`, value })),
    );
    const { entries } = await storage.range({ start: `/k/${round}/`, end: `/k/${round}0` });
    await Promise.all(
      entries.map((entry) =>
        storage.transact({ key: entry.key, expected: entry.revision, value: undefined }),
      ),
    );
  }
  let compacted = false;
  const compaction = storage.compact(storage.revision).then(() => {
    compacted = true;
  });
  let during = 0;
  while (!compacted) {
    revision = await put(storage, '/writer', 'x', revision);
    during += 1;
  }
  await compaction;
  // 20,000 changes are compacted in slices of 400: writes run between any two of them.
  expect(during).toBeGreaterThan(20);
  await storage.close();
});

test('interrupted compaction continues after a restart', async () => {
  const directory = temporaryDirectory();
  let storage = await openEmbeddedStorage({ directory });
  let revision = 0;
  for (let round = 0; round < 5; round += 1) {
    const keys = Array.from({ length: 400 }, (_, index) => ({
      key: `/r${round}/${index}`,
      value: bytes('x'.repeat(500)),
    }));
    await storage.createBatch(keys);
    const { entries } = await storage.range(all);
    await Promise.all(
      entries.map((entry) =>
        storage.transact({ key: entry.key, expected: entry.revision, value: undefined }),
      ),
    );
  }
  const interrupted = storage.compact(storage.revision);
  await Promise.all([
    storage.close(),
    expect(interrupted).rejects.toMatchObject({ name: 'StorageUnavailableError' }),
  ]);
  storage = await openEmbeddedStorage({ directory });
  if (storage.compactedRevision < storage.revision) await storage.compact(storage.revision);
  // A compaction without work waits for the current one.
  revision = await put(storage, '/last', '');
  await storage.compact(revision);
  const { bytes: before } = await storage.statistics();
  for (let round = 0; round < 3; round += 1) {
    await storage.createBatch(
      Array.from({ length: 400 }, (_, index) => ({
        key: `/again${round}/${index}`,
        value: bytes('x'.repeat(500)),
      })),
    );
  }
  expect((await storage.statistics()).bytes).toBe(before);
  await storage.close();
});

test('a result that depends on a pending change waits until the change is durable', async () => {
  const storage = await openEmbeddedStorage({ directory: temporaryDirectory() });
  const order: string[] = [];
  const recorder = new Recorder(storage);
  const winner = storage
    .transact({ key: '/a', expected: 0, value: bytes('1') })
    .then(() => order.push('winner'));
  const loser = storage.transact({ key: '/a', expected: 0, value: bytes('2') }).then((result) => {
    expect(result.succeeded).toBe(false);
    expect(recorder.events).toHaveLength(1);
    order.push('loser');
  });
  expect((await storage.get('/a')).entry).toBeUndefined();
  await Promise.all([winner, loser]);
  expect(order).toEqual(['winner', 'loser']);
  await storage.close();
});

test('reads during commits never return an unpublished revision', async () => {
  const storage = await openEmbeddedStorage({ directory: temporaryDirectory() });
  let writing = true;
  const writers = Promise.all(
    Array.from({ length: 4 }, async (_, writer) => {
      let revision = 0;
      for (let round = 0; round < 150; round += 1) {
        revision = await put(storage, `/w${writer}`, `${round}`, revision);
        if (round % 10 === 9) {
          await remove(storage, `/w${writer}`, revision);
          revision = 0;
        }
      }
    }),
  ).finally(() => {
    writing = false;
  });
  let reads = 0;
  while (writing) {
    const one = await storage.get('/w0');
    expect(one.entry?.revision ?? 0).toBeLessThanOrEqual(one.revision);
    const many = await storage.range(all);
    for (const entry of many.entries) expect(entry.revision).toBeLessThanOrEqual(many.revision);
    expect(await storage.count('/', '0')).toBeLessThanOrEqual(4);
    reads += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await writers;
  expect(reads).toBeGreaterThan(10);
  await storage.close();
});
