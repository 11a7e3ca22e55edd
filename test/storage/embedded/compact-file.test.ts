import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { CompactionStep } from '../../../src/storage/embedded/compact-file.ts';
import { fileIdentity } from '../../../src/storage/embedded/data-directory.ts';
import { lastTransactionOf } from '../../../src/storage/embedded/data-file.ts';
import { openEnvironment } from '../../../src/storage/embedded/environment.ts';
import { backupDirectory, openEmbeddedStorage } from '../../../src/storage/embedded/index.ts';
import { thisProcess } from '../../../src/storage/embedded/owner.ts';
import type { ImmediateStorage } from '../../../src/storage/storage.ts';
import { exited, linesOf, startProgram } from '../crash/child.ts';
import { put, Recorder, remove, text } from '../helpers.ts';
import { temporaryDirectory } from '../temporary.ts';

const all = { start: '/', end: '0' };
const fileOf = (directory: string) => join(directory, 'data.mdb');
const sizeOf = (directory: string) => statSync(fileOf(directory)).size;
const compacting = { compactFromBytes: 1 << 20 };

/** Everything that must not change: current and past states, watch events and the newest revision. */
async function contents(storage: ImmediateStorage) {
  const from = storage.compactedRevision;
  const show = async (revision?: number) =>
    (await storage.range({ ...all, revision })).entries.map((entry) => [
      entry.key,
      text(entry.value),
      entry.revision,
      entry.createRevision,
      entry.corruption,
    ]);
  const watch = new Recorder(storage, from);
  await watch.until(() => watch.revisions.at(-1) === storage.revision);
  watch.watch.close();
  const events = watch.events.map((event) => [
    event.type,
    event.key,
    text(event.value),
    event.previous?.revision,
  ]);
  return { revision: storage.revision, from, present: await show(), past: await show(from), events };
}

/** A closed directory with little data in a file of many MB. */
async function sparse() {
  const directory = temporaryDirectory();
  const storage = await openEmbeddedStorage({ directory });
  await storage.createBatch(
    Array.from({ length: 400 }, (_, index) => ({ key: `/big${index}`, value: new Uint8Array(20_000) })),
  );
  await put(storage, '/leased', 'expires', 0, 3600);
  let kept = await put(storage, '/kept', '0');
  const { entries } = await storage.range({ start: '/big', end: '/bih' });
  await Promise.all(entries.map(({ key, revision }) => remove(storage, key, revision)));
  for (let round = 1; round < 10; round += 1) kept = await put(storage, '/kept', `${round}`, kept);
  await storage.compact(kept - 5);
  const expected = await contents(storage);
  await storage.close();
  return { directory, whole: expected, size: sizeOf(directory) };
}

/** Opens without compacting and checks that nothing is lost and that writes work. */
async function check(directory: string, expected: Awaited<ReturnType<typeof contents>>): Promise<void> {
  const storage = await openEmbeddedStorage({ directory, compactFromBytes: Number.POSITIVE_INFINITY });
  expect(await contents(storage)).toEqual(expected);
  expect((await storage.statistics()).keys).toBe(2);
  expect(await put(storage, '/after', '')).toBe(expected.revision + 1);
  await storage.close();
}

describe('a data file that is mostly free pages', () => {
  test('is replaced by a compacted file at the next start', async () => {
    const { directory, whole: expected, size } = await sparse();
    const steps: CompactionStep[] = [];
    const storage = await openEmbeddedStorage({
      directory,
      ...compacting,
      onCompaction: (step) => steps.push(step),
    });
    expect(steps).toEqual(['started', 'copied', 'checked', 'closed', 'renamed', 'reopened']);
    expect(size).toBeGreaterThan(8 << 20);
    expect(sizeOf(directory)).toBeLessThan(1 << 20);
    expect(statSync(fileOf(directory)).mode & 0o077).toBe(0);
    expect(await contents(storage)).toEqual(expected);
    await storage.close();
    expect(readdirSync(directory).filter((name) => name.includes('compact'))).toEqual([]);
    await check(directory, expected);
  });

  test('is kept when compaction frees little, and is copied only once', async () => {
    const { directory } = await sparse();
    const open = async (compactFromBytes: number) => {
      const steps: CompactionStep[] = [];
      await (
        await openEmbeddedStorage({ directory, compactFromBytes, onCompaction: (step) => steps.push(step) })
      ).close();
      return steps.length > 0;
    };
    expect([await open(1 << 30), await open(1 << 20), await open(1 << 20)]).toEqual([false, true, false]);
  });

  test('is backed up without free pages', async () => {
    const { directory, whole: expected, size } = await sparse();
    const [fromFile, fromStore] = [temporaryDirectory(), temporaryDirectory()];
    await backupDirectory(directory, fromFile);
    const storage = await openEmbeddedStorage({ directory, compactFromBytes: Number.POSITIVE_INFINITY });
    await storage.backup(fromStore);
    await storage.close();
    expect(sizeOf(directory)).toBe(size);
    for (const copy of [fromFile, fromStore]) {
      expect(sizeOf(copy)).toBeLessThan(1 << 20);
      await check(copy, expected);
    }
  });

  test('is either the old or the complete new one wherever the process is killed', async () => {
    const points: (readonly [string, number])[] = [
      ...(['started', 'copied', 'checked', 'closed', 'renamed', 'reopened', 'open'] as const).map(
        (step) => [step, 0] as const,
      ),
      ...[0, 5].map((turns) => ['copying', turns] as const),
    ];
    for (const [step, turns] of points) {
      const { directory, whole: expected } = await sparse();
      const child = startProgram('compact.ts', [directory, step, String(turns)]);
      const ended = exited(child);
      const lines: string[] = [];
      for await (const line of linesOf(child)) lines.push(line);
      await ended;
      expect(child.signalCode).toBe('SIGKILL');
      if (step !== 'copying') expect(lines, step).toEqual(step === 'open' ? ['open'] : []);
      const storage = await openEmbeddedStorage({ directory, ...compacting });
      expect(await contents(storage), `${step} ${turns}`).toEqual(expected);
      await storage.close();
      expect(sizeOf(directory)).toBeLessThan(1 << 20);
      expect(existsSync(`${fileOf(directory)}.compact`)).toBe(false);
      await check(directory, expected);
    }
  });

  test('is replaced while a server waits for the directory, which then uses the new one', {
    skip: !existsSync('/proc/self/maps'),
  }, async () => {
    const [old, replacement] = [await sparse(), await sparse()];
    const file = fileOf(old.directory);
    // The owner, this process, is alive.
    const environment = await openEnvironment(file);
    expect(environment.claim(environment.owner()!.epoch, thisProcess(7, fileIdentity(file)))).toBe(true);
    await environment.close();
    const waiting = startProgram('writer.ts', [old.directory, '1', '1']);
    onTestFinished(() => void waiting.kill('SIGKILL'));
    const gone = exited(waiting);
    const lines = linesOf(waiting)[Symbol.asyncIterator]();
    const isOpen = () => readFileSync(`/proc/${waiting.pid}/maps`, 'utf8').includes(realpathSync(file));
    await vi.waitFor(() => expect(isOpen()).toBe(true), { timeout: 60_000, interval: 5 });
    renameSync(fileOf(replacement.directory), file);
    expect((await lines.next()).value).toBe('open');
    expect((await lines.next()).value).toMatch(/^\/k0 /);
    waiting.kill('SIGKILL');
    await gone;
    const storage = await openEmbeddedStorage({ directory: old.directory });
    expect(storage.revision).toBeGreaterThan(replacement.whole.revision);
    expect((await storage.get('/k0')).revision).toBe(storage.revision);
    await storage.close();
  });

  test('is replaced while another process reads the old one, without corrupting later commits', async () => {
    for (const odd of [0, 1]) {
      const { directory, whole: expected } = await sparse();
      let { revision } = expected;
      // With an even and an odd number of the newest transaction.
      while (lastTransactionOf(fileOf(directory))! % 2 !== odd) {
        const storage = await openEmbeddedStorage({ directory, compactFromBytes: Number.POSITIVE_INFINITY });
        revision = await put(storage, `/extra${revision}`, '');
        await storage.close();
      }
      const reader = startProgram('hold.ts', [fileOf(directory)]);
      onTestFinished(() => void reader.kill('SIGKILL'));
      const gone = exited(reader);
      for await (const line of linesOf(reader)) if (line === 'held') break;
      let storage = await openEmbeddedStorage({ directory, ...compacting });
      expect(sizeOf(directory)).toBeLessThan(1 << 20);
      expect(storage.revision).toBe(revision);
      for (let round = 0; round < 50; round += 1) revision = await put(storage, `/later${round}`, `${round}`);
      const before = await contents(storage);
      await storage.close();
      storage = await openEmbeddedStorage({ directory });
      expect(await contents(storage)).toEqual(before);
      await storage.close();
      reader.kill('SIGKILL');
      await gone;
      storage = await openEmbeddedStorage({ directory });
      expect(await contents(storage)).toEqual(before);
      await storage.close();
    }
  });
});

test('a growing file is mapped once, so that pages do not count twice in the memory of the process', {
  skip: !existsSync('/proc/self/maps'),
}, async () => {
  const directory = temporaryDirectory();
  const storage = await openEmbeddedStorage({ directory });
  for (let batch = 0; batch < 4; batch += 1) {
    await storage.createBatch(
      Array.from({ length: 200 }, (_, index) => ({
        key: `/k${batch}-${index}`,
        value: new Uint8Array(20_000),
      })),
    );
    await storage.range(all);
  }
  const mappings = readFileSync('/proc/self/maps', 'utf8').split('\n');
  expect(mappings.filter((line) => line.endsWith(` ${realpathSync(fileOf(directory))}`))).toHaveLength(1);
  await storage.close();
});
