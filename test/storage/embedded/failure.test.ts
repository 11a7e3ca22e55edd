import { expect, test, vi } from 'vitest';
import { openEmbeddedStorage } from '../../../src/storage/embedded/index.ts';
import { AdjustableClock } from '../../../src/time/adjustable-clock.ts';
import { processClock } from '../../../src/time/clock.ts';
import { FakeClock } from '../fake-clock.ts';
import { FaultyDisk } from '../faults.ts';
import { put, Recorder, text } from '../helpers.ts';
import { temporaryDirectory } from '../temporary.ts';

async function setUp() {
  const directory = temporaryDirectory();
  const disk = new FaultyDisk();
  const clock = new FakeClock();
  const fatal: Error[] = [];
  const storage = await openEmbeddedStorage({
    directory,
    clock,
    open: disk.open,
    onFatal: (error) => fatal.push(error),
  });
  const recovered = async () => {
    while (storage.health()) {
      clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { directory, disk, clock, fatal, storage, recovered };
}

const outcome = (write: Promise<unknown>) => write.then(() => 'written').catch((error: Error) => error.name);

test('a failed commit without effect: unknown outcome, invisible to readers, revisions not reused', async () => {
  const { disk, storage, recovered } = await setUp();
  const first = await put(storage, '/a', 'one');
  const recorder = new Recorder(storage);
  disk.faults = ['before'];
  const answers = await Promise.all([
    outcome(put(storage, '/a', 'two', first)),
    outcome(put(storage, '/b', 'b')),
    outcome(put(storage, '/a', 'x', 99)),
  ]);
  expect(answers).toEqual(['OutcomeUnknownError', 'OutcomeUnknownError', 'OutcomeUnknownError']);
  expect(storage.health()).toBeInstanceOf(Error);
  expect(text((await storage.get('/a')).entry!.value)).toBe('one');
  expect(await outcome(put(storage, '/c', ''))).toBe('StorageUnavailableError');
  expect(recorder.events).toEqual([]);
  await recovered();
  expect(disk.opened).toBe(2);
  expect(storage.revision).toBe(first);
  expect(await put(storage, '/a', 'three', first)).toBe(first + 3);
  expect(recorder.revisions).toEqual([first + 3]);
  await storage.close();
});

test('a failed commit that took effect is published to watches in order', async () => {
  const { disk, storage, recovered } = await setUp();
  const recorder = new Recorder(storage);
  const first = await put(storage, '/a', 'one');
  disk.faults = ['after'];
  expect(
    await Promise.all([outcome(put(storage, '/a', 'two', first)), outcome(put(storage, '/b', 'b'))]),
  ).toEqual(['OutcomeUnknownError', 'OutcomeUnknownError']);
  expect(storage.revision).toBe(first + 2);
  expect(recorder.events).toMatchObject([
    { key: '/a' },
    { key: '/a', previous: { revision: first } },
    { key: '/b' },
  ]);
  expect(text((await storage.get('/a')).entry!.value)).toBe('two');
  await recovered();
  expect(await put(storage, '/a', 'three', first + 1)).toBe(first + 3);
  const late = new Recorder(storage, first);
  await late.until(() => late.events.length === 4);
  expect(late.revisions).toEqual(recorder.revisions);
  await storage.close();
});

test('writes are refused until a probe succeeds, reads continue, and skipped revisions survive a restart', async () => {
  const { directory, disk, storage, recovered } = await setUp();
  const first = await put(storage, '/a', 'one');
  disk.faults = ['before', 'before', 'before'];
  const waiting = put(storage, '/b', '');
  const reading = storage.get('/a');
  expect(await outcome(waiting)).toBe('OutcomeUnknownError');
  expect((await reading).entry?.revision).toBe(first);
  await recovered();
  expect(disk.opened).toBe(4);
  await storage.close();
  const again = await openEmbeddedStorage({ directory });
  expect(await put(again, '/c', '')).toBe(first + 2);
  await again.close();
});

test('reads that arrive while the file is reopened wait for it', async () => {
  const { disk, storage, recovered } = await setUp();
  const first = await put(storage, '/a', 'one');
  disk.faults = ['before'];
  const failing = outcome(put(storage, '/b', ''));
  const reads: unknown[] = [];
  let failed = false;
  void failing.then(() => {
    failed = true;
  });
  while (!failed) {
    reads.push(storage.get('/a'), storage.range({ start: '/', end: '0' }), storage.count('/', '0'));
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const read of await Promise.all(reads))
    expect(read === 1 || (read as { revision: number }).revision === first).toBe(true);
  const late = new Recorder(storage, first);
  await late.until(() => late.events.length === 1);
  await recovered();
  await storage.close();
});

test('a full disk is reported and nothing is written', async () => {
  const { disk, storage, recovered } = await setUp();
  disk.error = Object.assign(new Error('No space left on device'), { code: 28 });
  disk.faults = ['before'];
  expect(await outcome(put(storage, '/a', ''))).toBe('OutOfSpaceError');
  await recovered();
  expect(await outcome(put(storage, '/a', ''))).toBe('written');
  await storage.close();
});

test('a file that cannot be reopened fails the store, its watches and reads with an error', async () => {
  const { disk, storage, fatal } = await setUp();
  await put(storage, '/a', '');
  const recorder = new Recorder(storage);
  disk.faults = ['before'];
  disk.refuseOpening = true;
  expect(await outcome(put(storage, '/b', ''))).toBe('OutcomeUnknownError');
  expect(fatal).toHaveLength(1);
  expect(fatal[0]!.message).toMatch(
    /data\.mdb cannot be used after a failed commit \(Input\/output error\): No such device/,
  );
  expect(await recorder.ended).toBe(fatal[0]);
  expect(() => storage.get('/a')).toThrow(fatal[0]!);
  expect(await outcome(put(storage, '/b', ''))).toBe('StorageUnavailableError');
  await storage.close();
});

test('a stalled disk is reported, writes beyond the queue bound are refused, and queued writes complete later', async () => {
  const { disk, storage, clock } = await setUp();
  let answer: () => void = () => undefined;
  disk.stalled = new Promise((resolve) => {
    answer = resolve;
  });
  const first = outcome(put(storage, '/first', ''));
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(storage.health()).toBeUndefined();
  clock.advance(15_000);
  expect(storage.health()?.message).toMatch(/has not finished a commit for 15 s/);
  const value = new Uint8Array(8 << 20);
  const waiting = Array.from({ length: 33 }, (_, index) =>
    outcome(storage.transact({ key: `/k${index}`, expected: 1, value })),
  );
  expect(await waiting.at(-1)).toBe('StorageUnavailableError');
  expect(storage.health()).toBeDefined();
  answer();
  expect(await first).toBe('written');
  expect((await Promise.all(waiting)).filter((one) => one === 'written')).toHaveLength(32);
  expect(storage.health()).toBeUndefined();
  await storage.close();
});

test('close during a recovery', async () => {
  const { disk, storage } = await setUp();
  disk.faults = ['before'];
  const failing = outcome(put(storage, '/a', ''));
  await storage.close();
  expect(await failing).toBe('OutcomeUnknownError');
});

test('compaction interrupted by a failed commit finishes after the recovery', async () => {
  const { disk, storage, recovered } = await setUp();
  const first = await put(storage, '/a', '1');
  const second = await put(storage, '/a', '2', first);
  disk.faults = ['after'];
  await expect(storage.compact(second)).rejects.toMatchObject({ name: 'StorageUnavailableError' });
  await recovered();
  await storage.compact(second);
  expect(storage.compactedRevision).toBe(second);
  await storage.close();
});

test('an expired key is deleted after a failure also while the time of the cluster stands still', async () => {
  const [disk, clock] = [new FaultyDisk(), new FakeClock()];
  const clusterClock = new AdjustableClock(processClock);
  const storage = await openEmbeddedStorage({
    directory: temporaryDirectory(),
    clock,
    clusterClock,
    open: disk.open,
    onFatal: () => undefined,
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await storage.transact({ key: '/e', expected: 0, value: new Uint8Array(1), timeToLiveSeconds: 60 });
  clusterClock.freeze();
  clock.advance(120_000);
  expect(storage.get('/e')).toMatchObject({ entry: { key: '/e' } });
  disk.faults = ['before'];
  await clusterClock.advance(61_000);
  while (disk.faults.length > 0) await turn();
  await vi.waitFor(
    async () => {
      clock.advance(1000);
      expect(await storage.count('/', '0')).toBe(0);
    },
    { timeout: 20_000, interval: 1 },
  );
  await storage.close();
});
