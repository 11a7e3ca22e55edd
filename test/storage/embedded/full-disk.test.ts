import { expect, test } from 'vitest';
import { openEmbeddedStorage } from '../../../src/storage/embedded/index.ts';
import type { ImmediateStorage } from '../../../src/storage/storage.ts';
import { SmallDisk } from '../../support/small-disk.ts';
import { FakeClock } from '../fake-clock.ts';
import { put, Recorder } from '../helpers.ts';
import { temporaryDirectory } from '../temporary.ts';

const megabyte = 1 << 20;
const outcome = (write: Promise<unknown>) => write.then(() => 'written').catch((error: Error) => error.name);
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Writes values until one is refused. @returns the acknowledged keys and the message of the refusal */
async function writeUntilRefused(
  storage: ImmediateStorage,
  prefix: string,
  size: number,
): Promise<{ keys: string[]; refusal: string }> {
  const keys: string[] = [];
  for (;;) {
    const key = `${prefix}${keys.length}`;
    const refusal = await outcome(storage.transact({ key, expected: 0, value: new Uint8Array(size) }));
    if (refusal !== 'written') return { keys, refusal };
    keys.push(key);
  }
}

async function remove(storage: ImmediateStorage, key: string): Promise<string> {
  const { entry } = await storage.get(key);
  return outcome(storage.transact({ key, expected: entry!.revision, value: undefined }));
}

test('the free space is measured before each commit if it is not ample, else once per second', async () => {
  const clock = new FakeClock();
  let free = 100 * 1024 * megabyte;
  let measured = 0;
  const storage = await openEmbeddedStorage({
    directory: temporaryDirectory(),
    clock,
    minimumFreeBytes: 80 * megabyte,
    freeBytes: () => {
      measured += 1;
      return free;
    },
  });
  const measuredBy = async (writes: number): Promise<number> => {
    const before = measured;
    for (let index = 0; index < writes; index++) await put(storage, `/${free}/${writes}/${index}`, 'value');
    return measured - before;
  };
  await measuredBy(1);
  expect(await measuredBy(5)).toBe(0);
  clock.advance(1000);
  free = 3 * 1024 * megabyte;
  expect(await measuredBy(5)).toBe(6);
  await storage.close();
});

test('puts are refused before the disk is full, deletions continue, and writes resume with free space', async () => {
  const clock = new FakeClock();
  let free = 100 * megabyte;
  const storage = await openEmbeddedStorage({
    directory: temporaryDirectory(),
    clock,
    minimumFreeBytes: 80 * megabyte,
    freeBytes: () => free,
  });
  const first = await put(storage, '/a', 'one');
  free = 50 * megabyte;
  clock.advance(1000);
  expect(await outcome(put(storage, '/a', 'two', first))).toBe('OutOfSpaceError');
  expect(storage.health()?.message).toMatch(/free some space/);
  expect(await storage.transact({ key: '/a', expected: first, value: undefined })).toMatchObject({
    succeeded: true,
  });
  free = 1 * megabyte;
  clock.advance(1000);
  expect(await outcome(storage.transact({ key: '/a', expected: 0, value: undefined }))).toBe(
    'OutOfSpaceError',
  );
  free = 100 * megabyte;
  clock.advance(1000);
  expect(storage.health()).toBeUndefined();
  expect(await put(storage, '/a', 'three')).toBe(first + 2);
  await storage.close();
});

test('free pages in the data file count as free space, and history is compacted to free pages', async () => {
  const clock = new FakeClock();
  let free = 1000 * megabyte;
  const storage = await openEmbeddedStorage({
    directory: temporaryDirectory(),
    clock,
    minimumFreeBytes: 20 * megabyte,
    freeBytes: () => free,
  });
  for (let index = 0; index < 40; index += 1)
    await storage.transact({ key: `/k${index}`, expected: 0, value: new Uint8Array(megabyte) });
  free = 10 * megabyte;
  clock.advance(1000);
  expect(await outcome(put(storage, '/small', ''))).toBe('OutOfSpaceError');
  for (let index = 0; index < 40; index += 1) expect(await remove(storage, `/k${index}`)).toBe('written');
  const deleted = storage.revision;
  // History of the last seconds is kept for resuming clients.
  expect(await outcome(put(storage, '/small', ''))).toBe('OutOfSpaceError');
  expect(storage.compactedRevision).toBeLessThan(deleted);
  let answer = 'none';
  for (let attempt = 0; attempt < 100 && answer !== 'written'; attempt += 1) {
    clock.advance(5000);
    answer = await outcome(put(storage, '/small', ''));
  }
  expect(answer).toBe('written');
  expect(storage.compactedRevision).toBeGreaterThanOrEqual(deleted);
  await storage.close();
});

test('compaction that runs out of space waits instead of spinning, and continues later', async () => {
  let attempts = 0;
  const clock = new (class extends FakeClock {
    override now(): number {
      attempts += 1;
      return super.now();
    }
  })();
  let free = 1000 * megabyte;
  const storage = await openEmbeddedStorage({
    directory: temporaryDirectory(),
    clock,
    minimumFreeBytes: 80 * megabyte,
    freeBytes: () => free,
  });
  const entries = (round: number) =>
    Array.from({ length: 1000 }, (_, index) => ({ key: `/${round}/${index}`, value: new Uint8Array(8) }));
  for (let round = 0; round < 3; round += 1) await storage.createBatch(entries(round));
  const target = storage.revision;
  const compacted = outcome(storage.compact(target));
  while (storage.compactedRevision < target) await nextTurn();
  free = 0;
  clock.advance(1000);
  expect(await compacted).toBe('OutOfSpaceError');
  const before = attempts;
  for (let turn = 0; turn < 200; turn += 1) await nextTurn();
  expect(attempts).toBe(before);
  free = 1000 * megabyte;
  clock.advance(1000);
  // Resolves after the remaining slices, too.
  await put(storage, '/a', '1');
  await storage.compact(target + 1);
  await storage.close();
});

test('a disk filled by the store: reads continue, deletions free space, no acknowledged write is lost', async ({
  skip,
}) => {
  const disk = SmallDisk.mount(temporaryDirectory(), 48);
  if (disk === undefined) return skip('a small file system cannot be mounted in this environment');
  try {
    const clock = new FakeClock();
    const { directory } = disk;
    const storage = await openEmbeddedStorage({ directory, clock, minimumFreeBytes: 0 });
    const { keys, refusal } = await writeUntilRefused(storage, '/k', 100_000);
    expect(refusal).toBe('OutOfSpaceError');
    expect(keys.length).toBeGreaterThan(100);
    for (const key of keys) expect((await storage.get(key)).entry?.value).toHaveLength(100_000);
    const revision = storage.revision;
    for (const key of keys.slice(10)) expect(await remove(storage, key)).toBe('written');
    let answer = 'none';
    for (let attempt = 0; attempt < 100 && answer !== 'written'; attempt += 1) {
      clock.advance(5000);
      answer = await outcome(storage.transact({ key: '/new', expected: 0, value: new Uint8Array(100_000) }));
    }
    expect(answer).toBe('written');
    expect(storage.revision).toBeGreaterThan(revision);
    await storage.close();
    const again = await openEmbeddedStorage({ directory, minimumFreeBytes: 0 });
    expect(await again.count('/', '0')).toBe(11);
    await again.close();
  } finally {
    disk.unmount();
  }
});

test('a disk filled by other processes: no commit fails, watches continue, and writes resume with free space', async ({
  skip,
}) => {
  const disk = SmallDisk.mount(temporaryDirectory(), 24);
  if (disk === undefined) return skip('a small file system cannot be mounted in this environment');
  try {
    const clock = new FakeClock();
    const { directory } = disk;
    const storage = await openEmbeddedStorage({ directory, clock, minimumFreeBytes: 0 });
    const recorder = new Recorder(storage);
    await put(storage, '/first', '');
    disk.fill();
    const { keys, refusal } = await writeUntilRefused(storage, '/k', 100_000);
    expect(refusal).toBe('OutOfSpaceError');
    // Space is reserved for deletions; no commit has failed.
    expect(await remove(storage, '/first')).toBe('written');
    expect(storage.health()).toBeUndefined();
    const revision = storage.revision;
    disk.free();
    expect(await put(storage, '/after', '')).toBe(revision + 1);
    expect(recorder.revisions).toEqual(Array.from({ length: keys.length + 3 }, (_, index) => index + 2));
    await storage.close();
  } finally {
    disk.unmount();
  }
});
