import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  CompactedError,
  FutureRevisionError,
  type ImmediateStorage,
  KeyExistsError,
  KeyTooLongError,
  prefixEnd,
} from '../../src/storage/storage.ts';
import type { Clock } from '../../src/time/clock.ts';
import { FakeClock } from './fake-clock.ts';
import { bytes, put, Recorder, remove, text } from './helpers.ts';

export interface StorageUnderTest {
  readonly storage: ImmediateStorage;
  /** Removes the files of the store after it is closed. */
  dispose(): Promise<void>;
}

/** Contract tests for every implementation of the storage port. */
export function storageContract(name: string, create: (clock: Clock) => Promise<StorageUnderTest>): void {
  describe(name, () => {
    let clock: FakeClock;
    let under: StorageUnderTest;
    let storage: ImmediateStorage;

    beforeEach(async () => {
      clock = new FakeClock();
      under = await create(clock);
      storage = under.storage;
    });
    afterEach(async () => {
      await storage.close();
      await under.dispose();
    });
    /**
     * Advances time until `ready`: a store arms its timer again only after the previous deletions are
     * durable.
     */
    const advanceUntil = async (ready: () => boolean) => {
      while (!ready()) {
        clock.advance(1);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const all = { start: '/', end: prefixEnd('/') };
    const keysAt = async (revision?: number) =>
      (await storage.range({ ...all, revision })).entries.map((entry) => entry.key);

    describe('single keys', () => {
      test('an empty store has a revision other than 0 and no compaction', async () => {
        expect(storage.revision).toBeGreaterThan(0);
        expect(storage.compactedRevision).toBe(0);
        expect(await storage.currentRevision()).toBe(storage.revision);
        expect(storage.health()).toBeUndefined();
        expect((await storage.get('/a')).entry).toBeUndefined();
      });

      test('create, read, update, delete: each change gets the next revision', async () => {
        const first = storage.revision;
        const created = await put(storage, '/a', 'one');
        expect(created).toBe(first + 1);
        const updated = await put(storage, '/a', 'two', created);
        expect(updated).toBe(first + 2);
        const { entry, revision } = await storage.get('/a');
        expect(entry).toMatchObject({ key: '/a', revision: updated, createRevision: created });
        expect(text(entry!.value)).toBe('two');
        expect(revision).toBe(updated);
        const deleted = await remove(storage, '/a', updated);
        expect((await storage.get('/a')).entry).toBeUndefined();
        const again = await put(storage, '/a', 'three');
        expect((await storage.get('/a')).entry).toMatchObject({ revision: again, createRevision: again });
        expect(again).toBe(deleted + 1);
        expect(storage.revision).toBe(again);
      });

      test('a failed condition returns the current entry and uses no revision', async () => {
        const created = await put(storage, '/a', 'one');
        const again = await storage.transact({ key: '/a', expected: 0, value: bytes('x') });
        expect(again).toMatchObject({
          succeeded: false,
          current: { key: '/a', revision: created },
          revision: created,
        });
        const gone = await storage.transact({ key: '/b', expected: 5, value: undefined });
        expect(gone).toMatchObject({ succeeded: false, current: undefined });
        expect(storage.revision).toBe(created);
        if (!again.succeeded) expect(text(again.current!.value)).toBe('one');
      });

      test('exactly one of many concurrent changes with the same expected revision succeeds', async () => {
        const base = await put(storage, '/a', 'base');
        const results = await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            storage.transact({ key: '/a', expected: base, value: bytes(`${index}`) }),
          ),
        );
        const winners = results.filter((result) => result.succeeded);
        expect(winners).toHaveLength(1);
        const winner = winners[0]!.revision;
        for (const result of results) {
          if (!result.succeeded) expect(result.current?.revision).toBe(winner);
          expect(result.revision).toBeGreaterThanOrEqual(winner);
        }
      });

      test('changes issued without waiting are compared with the pending state', async () => {
        const first = await put(storage, '/a', '0');
        const results = await Promise.all(
          [1, 2, 3, 4].map((step) =>
            storage.transact({
              key: '/a',
              expected: first + step - 1,
              value: step % 2 ? undefined : bytes(`${step}`),
            }),
          ),
        );
        // A deletion leaves the key absent, so the next step expects 0 and fails.
        expect(results.map((result) => result.succeeded)).toEqual([true, false, false, false]);
        const recreated = await Promise.all([
          storage.transact({ key: '/a', expected: 0, value: bytes('x') }),
          storage.transact({ key: '/a', expected: first + 2, value: bytes('y') }),
          storage.transact({ key: '/a', expected: first + 3, value: undefined }),
          storage.transact({ key: '/a', expected: 0, value: bytes('z') }),
        ]);
        expect(recreated.map((result) => result.succeeded)).toEqual([true, true, true, true]);
        const entry = (await storage.get('/a')).entry!;
        expect(text(entry.value)).toBe('z');
        expect(entry.createRevision).toBe(first + 5);
      });

      test('values are copied: neither side sees later changes of the bytes', async () => {
        const value = bytes('hello');
        await storage.transact({ key: '/a', expected: 0, value });
        value.fill(0);
        const read = (await storage.get('/a')).entry!.value;
        expect(text(read)).toBe('hello');
        await storage.get('/none');
        const other = await put(storage, '/b', 'world');
        expect(text((await storage.get('/b')).entry!.value)).toBe('world');
        expect(text(read)).toBe('hello');
        expect(other).toBe(storage.revision);
      });

      test('empty and large values, and keys that look like object members', async () => {
        const large = new Uint8Array(3 << 20).fill(7);
        await storage.transact({ key: '/large', expected: 0, value: large });
        await storage.transact({ key: '/empty', expected: 0, value: new Uint8Array(0) });
        await storage.transact({ key: '/__proto__', expected: 0, value: bytes('p') });
        expect(Buffer.compare((await storage.get('/large')).entry!.value, large)).toBe(0);
        expect((await storage.get('/empty')).entry!.value).toHaveLength(0);
        expect(text((await storage.get('/__proto__')).entry!.value)).toBe('p');
        expect(await storage.count('/', '0')).toBe(3);
      });

      test('a key that is too long is a client error', async () => {
        await expect(
          storage.transact({ key: `/${'x'.repeat(5000)}`, expected: 0, value: bytes('') }),
        ).rejects.toBeInstanceOf(KeyTooLongError);
        await expect(
          storage.transact({ key: '/\u4e16', expected: 0, value: bytes('') }),
        ).rejects.toBeInstanceOf(TypeError);
        await expect(storage.createBatch([{ key: '', value: bytes('') }])).rejects.toBeInstanceOf(TypeError);
        const long = `/${'x'.repeat(3000)}`;
        await put(storage, long, 'ok', 0, 60);
        expect(text((await storage.get(long)).entry!.value)).toBe('ok');
        expect(await remove(storage, long, storage.revision)).toBe(storage.revision);
      });
    });

    describe('ranges', () => {
      test('ordered by bytes, start inclusive, end exclusive, with limit, count and more', async () => {
        for (const key of ['/b', '/a', '/c', '/é', '/d']) await put(storage, key, key);
        expect(await keysAt()).toEqual(['/a', '/b', '/c', '/d', '/\u00c3\u00a9']);
        const page = await storage.range({ start: '/b', end: '/d', limit: 1 });
        expect(page).toMatchObject({ count: 2, more: true, revision: storage.revision });
        expect(page.entries.map((entry) => text(entry.value))).toEqual(['/b']);
        expect(await storage.range({ start: '/b', end: '/d', limit: 2 })).toMatchObject({
          count: 2,
          more: false,
        });
        expect(await storage.range({ start: '/x', end: '/z' })).toMatchObject({
          entries: [],
          count: 0,
          more: false,
        });
        expect(await storage.range({ start: '/c', end: '/b' })).toMatchObject({
          entries: [],
          count: 0,
          more: false,
        });
        expect((await storage.range({ start: '/c', end: '' })).count).toBe(3);
        expect(await storage.count('/b', '/d')).toBe(2);
      });

      test('keysOnly leaves values empty', async () => {
        const revision = await put(storage, '/a', 'one');
        const { entries } = await storage.range({ ...all, keysOnly: true });
        expect(entries).toEqual([
          { key: '/a', value: new Uint8Array(0), revision, createRevision: revision },
        ]);
      });

      test('a past revision: before updates, without later keys, with deleted keys', async () => {
        const a1 = await put(storage, '/a', 'a1');
        const b1 = await put(storage, '/b', 'b1');
        const a2 = await put(storage, '/a', 'a2', a1);
        const bGone = await remove(storage, '/b', b1);
        await put(storage, '/c', 'c1');
        const b2 = await put(storage, '/b', 'b2');
        const at = async (revision: number) =>
          (await storage.range({ ...all, revision })).entries.map(
            (entry) => `${text(entry.value)}@${entry.revision}/${entry.createRevision}`,
          );
        expect(await at(a1)).toEqual([`a1@${a1}/${a1}`]);
        expect(await at(b1)).toEqual([`a1@${a1}/${a1}`, `b1@${b1}/${b1}`]);
        expect(await at(a2)).toEqual([`a2@${a2}/${a1}`, `b1@${b1}/${b1}`]);
        expect(await at(bGone)).toEqual([`a2@${a2}/${a1}`]);
        expect(await at(b2)).toHaveLength(3);
        expect(await storage.range({ ...all, revision: a2, limit: 1 })).toMatchObject({
          count: 2,
          more: true,
          revision: b2,
        });
        expect((await storage.get('/b', bGone)).entry).toBeUndefined();
        expect(text((await storage.get('/b', a2)).entry!.value)).toBe('b1');
      });

      test.each([false, true])(
        'a large range at a past revision, page by page, during writes; uncounted: %s',
        async (uncounted) => {
          const keys = Array.from({ length: 1500 }, (_, index) => `/k${String(index).padStart(5, '0')}`);
          await storage.createBatch(keys.map((key) => ({ key, value: bytes('old') })));
          const snapshot = storage.revision;
          const writer = Promise.all(
            keys.map(async (key, index) => {
              if (index % 3 === 0) await remove(storage, key, (await storage.get(key)).entry!.revision);
              else await put(storage, `${key}x`, 'new');
            }),
          );
          const seen: string[] = [];
          let start = all.start;
          for (;;) {
            const page = await storage.range({
              start,
              end: all.end,
              revision: snapshot,
              limit: 400,
              uncounted,
            });
            const left = keys.length - seen.length;
            if (uncounted) expect(page.count).toBeGreaterThanOrEqual(Math.min(left, 401));
            else expect(page.count).toBe(left);
            expect(page.entries).toHaveLength(Math.min(left, 400));
            for (const entry of page.entries) seen.push(entry.key);
            if (!page.more) break;
            start = `${seen.at(-1)}\0`;
          }
          await writer;
          expect(seen).toEqual(keys);
        },
      );

      test('an uncounted page reports whether there is more, at the current and a past revision', async () => {
        await storage.createBatch(['/a', '/b', '/c', '/d'].map((key) => ({ key, value: bytes('x') })));
        const past = storage.revision;
        await remove(storage, '/b', (await storage.get('/b')).entry!.revision);
        const page = async (start: string, limit: number, revision?: number) => {
          const { entries, more, count } = await storage.range({
            start,
            end: all.end,
            limit,
            revision,
            uncounted: true,
          });
          expect(count > entries.length).toBe(more);
          return [entries.map(({ key }) => key), more];
        };
        expect(await page('/a', 2)).toEqual([['/a', '/c'], true]);
        expect(await page('/c', 2)).toEqual([['/c', '/d'], false]);
        expect(await page('/a', 2, past)).toEqual([['/a', '/b'], true]);
        expect(await page('/c', 2, past)).toEqual([['/c', '/d'], false]);
        expect(await page('/c', 1, past)).toEqual([['/c'], true]);
        expect(await page('/a', 9, past)).toEqual([['/a', '/b', '/c', '/d'], false]);
      });

      test('a large range of the current state is consistent, and a watch from the next revision continues it', async () => {
        const revisions = await storage.createBatch(
          Array.from({ length: 3000 }, (_, index) => ({
            key: `/k${String(index).padStart(4, '0')}`,
            value: bytes('x'.repeat(500)),
          })),
        );
        let writing = true;
        const writer = (async () => {
          for (let index = 0; index < 3000; index += 100) {
            const key = `/k${String(2999 - index).padStart(4, '0')}`;
            if (index % 200) await put(storage, key, 'new', revisions[2999 - index]);
            else await remove(storage, key, revisions[2999 - index]!);
            await put(storage, `${key}/child`, 'new');
          }
          writing = false;
        })();
        while (writing) {
          const { entries, count, revision } = await storage.range(all);
          const state = new Map(entries.map((entry) => [entry.key, entry.revision]));
          expect(count).toBe(entries.length);
          expect(Math.max(...state.values())).toBeLessThanOrEqual(revision);
          const rest = new Recorder(storage, revision + 1);
          const target = storage.revision;
          await rest.until(() => target <= revision || (rest.revisions.at(-1) ?? 0) >= target);
          rest.watch.close();
          const upTo = rest.events.at(-1)?.revision ?? revision;
          for (const event of rest.events) {
            if (event.type === 'put') state.set(event.key, event.revision);
            else state.delete(event.key);
          }
          const later = await storage.range({ ...all, revision: upTo, keysOnly: true });
          expect([...state].sort()).toEqual(later.entries.map((entry) => [entry.key, entry.revision]));
        }
        await writer;
      });

      test('refuses future and compacted revisions', async () => {
        const first = await put(storage, '/a', '1');
        const second = await put(storage, '/a', '2', first);
        const attempt = async (run: () => unknown) => run();
        await expect(attempt(() => storage.range({ ...all, revision: second + 1 }))).rejects.toBeInstanceOf(
          FutureRevisionError,
        );
        await expect(attempt(() => storage.get('/a', second + 1))).rejects.toBeInstanceOf(
          FutureRevisionError,
        );
        await storage.compact(second);
        await expect(attempt(() => storage.range({ ...all, revision: first }))).rejects.toBeInstanceOf(
          CompactedError,
        );
        await expect(attempt(() => storage.get('/a', first))).rejects.toMatchObject({
          requestedRevision: first,
          compactedRevision: second,
        });
        expect(text((await storage.get('/a', second)).entry!.value)).toBe('2');
      });
    });

    describe('batches', () => {
      test('each entry gets its own revision, in order', async () => {
        const recorder = new Recorder(storage);
        const first = storage.revision;
        const revisions = await storage.createBatch(
          ['/x', '/y', '/z'].map((key) => ({ key, value: bytes(key) })),
        );
        expect(revisions).toEqual([first + 1, first + 2, first + 3]);
        expect(recorder.revisions).toEqual(revisions);
        expect(await keysAt()).toEqual(['/x', '/y', '/z']);
        expect(await storage.createBatch([])).toEqual([]);
      });

      test('nothing is written when a key exists or is in the batch twice', async () => {
        await put(storage, '/y', '');
        const before = storage.revision;
        const batch = (...keys: string[]) =>
          storage.createBatch(keys.map((key) => ({ key, value: bytes('v') })));
        await expect(batch('/x', '/y')).rejects.toBeInstanceOf(KeyExistsError);
        await expect(batch('/x', '/x')).rejects.toBeInstanceOf(KeyExistsError);
        expect(await keysAt()).toEqual(['/y']);
        expect(storage.revision).toBe(before);
      });
    });

    describe('watches', () => {
      test('events carry values and previous values, before the write is acknowledged', async () => {
        const recorder = new Recorder(storage);
        const created = await put(storage, '/a', 'one');
        expect(recorder.events).toHaveLength(1);
        const updated = await put(storage, '/a', 'two', created);
        const deleted = await remove(storage, '/a', updated);
        expect(recorder.events).toMatchObject([
          { type: 'put', key: '/a', revision: created, createRevision: created, previous: undefined },
          {
            type: 'put',
            key: '/a',
            revision: updated,
            createRevision: created,
            previous: { revision: created, createRevision: created },
          },
          {
            type: 'delete',
            key: '/a',
            revision: deleted,
            createRevision: 0,
            previous: { revision: updated, createRevision: created },
          },
        ]);
        expect(recorder.events.map((event) => text(event.value))).toEqual(['one', 'two', '']);
        expect(recorder.events.map((event) => event.previous && text(event.previous.value))).toEqual([
          undefined,
          'one',
          'two',
        ]);
      });

      test('delivers only its range, and nothing after close', async () => {
        const inside = new Recorder(storage, undefined, '/b/', '/b0');
        const wide = new Recorder(storage, undefined, '/', '');
        for (const key of ['/a/1', '/b/1', '/b0', '/b/2', '/c']) await put(storage, key, '');
        expect(inside.events.map((event) => event.key)).toEqual(['/b/1', '/b/2']);
        expect(wide.events).toHaveLength(5);
        inside.watch.close();
        inside.watch.close();
        await put(storage, '/b/3', '');
        expect(inside.events).toHaveLength(2);
      });

      test('resumes from an older revision with the same events as a live watch', async () => {
        const witness = new Recorder(storage);
        let revision = await put(storage, '/a', '0');
        for (let round = 1; round < 30; round += 1) {
          revision = await put(storage, '/a', `${round}`, revision);
          await put(storage, `/k${round}`, '');
        }
        await remove(storage, '/a', revision);
        for (const start of [witness.revisions[0]!, witness.revisions[20]!, witness.revisions.at(-1)!]) {
          const late = new Recorder(storage, start);
          await late.until(() => late.revisions.at(-1) === storage.revision);
          expect(late.events).toEqual(witness.events.filter((event) => event.revision >= start));
        }
      });

      test('resuming during writes leaves no gap and no duplicate', async () => {
        const first = await put(storage, '/seed', '');
        const write = async (writer: number) => {
          for (let round = 0; round < 60; round += 1)
            await put(storage, `/w${writer}/${round}`, 'x'.repeat(200));
        };
        const writing = Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
        const late: Recorder[] = [];
        for (let index = 0; index < 10; index += 1) {
          late.push(new Recorder(storage, first));
          await new Promise((resolve) => setImmediate(resolve));
        }
        await writing;
        for (const recorder of late) {
          await recorder.until(() => recorder.revisions.at(-1) === storage.revision);
          expect(recorder.revisions).toEqual(Array.from({ length: 481 }, (_, index) => first + index));
        }
      });

      test('resumes through more bytes than the recent events in memory, with previous values', async () => {
        const size = 1 << 20;
        const first = await put(storage, '/large', '0');
        let revision = first;
        for (let round = 1; round <= 24; round += 1) {
          const result = await storage.transact({
            key: '/large',
            expected: revision,
            value: new Uint8Array(size).fill(round),
          });
          revision = result.revision;
        }
        const late = new Recorder(storage, first);
        await late.until(() => late.revisions.at(-1) === revision);
        expect(late.revisions).toEqual(Array.from({ length: 25 }, (_, index) => first + index));
        expect(late.events.slice(1).map(({ value }) => [value.length, value[0]])).toEqual(
          Array.from({ length: 24 }, (_, index) => [size, index + 1]),
        );
        expect(late.events.slice(1).map(({ previous }) => previous?.revision)).toEqual(
          late.revisions.slice(0, -1),
        );
        expect(late.events.some(({ corruption, previous }) => corruption ?? previous?.corruption)).toBe(
          false,
        );
      });

      test('a start revision in the future withholds earlier events', async () => {
        const start = storage.revision + 3;
        const recorder = new Recorder(storage, start);
        for (const key of ['/a', '/b', '/c', '/d']) await put(storage, key, '');
        expect(recorder.revisions).toEqual([start, start + 1]);
      });

      test('a watch may write, watch and close in its callback', async () => {
        const witness = new Recorder(storage);
        const written: Promise<unknown>[] = [];
        const chain = storage.watch({
          ...all,
          onEvents: (events) => {
            for (const event of events) {
              if (event.key.length < 6)
                written.push(storage.transact({ key: `${event.key}x`, expected: 0, value: bytes('') }));
              else chain.close();
            }
          },
          onEnd: () => undefined,
        });
        const late = new Recorder(storage);
        await put(storage, '/a', '');
        await witness.until(() => witness.events.length === 5);
        await Promise.all(written);
        expect(late.revisions).toEqual(witness.revisions);
        expect(witness.revisions).toEqual([...witness.revisions].sort((a, b) => a - b));
      });

      test('idle watches receive throttled progress', async () => {
        const idle = new Recorder(storage, undefined, '/idle/', '/idle0');
        const first = await put(storage, '/busy', '0');
        expect(idle.progress).toEqual([first]);
        let revision = first;
        for (let round = 0; round < 5; round += 1)
          revision = await put(storage, '/busy', `${round}`, revision);
        expect(idle.progress).toEqual([first]);
        clock.advance(1000);
        expect(idle.progress).toEqual([first, revision]);
        clock.advance(10_000);
        expect(idle.progress).toEqual([first, revision]);
        const caughtUp = new Recorder(storage, first, '/idle/', '/idle0');
        await caughtUp.until(() => caughtUp.progress.length > 0);
        expect(caughtUp.progress).toEqual([revision]);
      });
    });

    describe('compaction', () => {
      test('ends watches that start before it, keeps the state and later events', async () => {
        const a1 = await put(storage, '/a', 'a1');
        const b1 = await put(storage, '/b', 'b1');
        const a2 = await put(storage, '/a', 'a2', a1);
        const bGone = await remove(storage, '/b', b1);
        const a3 = await put(storage, '/a', 'a3', a2);
        await storage.compact(bGone);
        expect(storage.compactedRevision).toBe(bGone);
        await expect(new Recorder(storage, a2).ended).resolves.toMatchObject({
          name: 'CompactedError',
          compactedRevision: bGone,
        });
        const kept = new Recorder(storage, bGone);
        await kept.until(() => kept.events.length === 2);
        expect(kept.events).toMatchObject([
          { type: 'delete', key: '/b', revision: bGone, previous: { revision: b1 } },
          { type: 'put', key: '/a', revision: a3, previous: { revision: a2 } },
        ]);
        expect(text(kept.events[0]!.previous!.value)).toBe('b1');
        expect(await keysAt(bGone)).toEqual(['/a']);
        expect(text((await storage.get('/a', bGone)).entry!.value)).toBe('a2');
        expect(await keysAt()).toEqual(['/a']);
      });

      test('is a no-op below the compacted revision and refused for a future revision', async () => {
        const first = await put(storage, '/a', '1');
        const second = await put(storage, '/b', '1');
        await storage.compact(second);
        await storage.compact(first);
        await storage.compact(second);
        expect(storage.compactedRevision).toBe(second);
        await expect(storage.compact(second + 1)).rejects.toBeInstanceOf(FutureRevisionError);
      });

      test('keys deleted before it can be created again; later history stays complete', async () => {
        const model = new Map<string, number>();
        const states: { revision: number; keys: string[] }[] = [];
        for (let round = 0; round < 200; round += 1) {
          const key = `/k${(round * 7) % 13}`;
          const expected = model.get(key) ?? 0;
          if (expected && round % 3 === 0) {
            await remove(storage, key, expected);
            model.delete(key);
          } else model.set(key, await put(storage, key, `${round}`, expected));
          states.push({ revision: storage.revision, keys: [...model.keys()].sort() });
          if (round % 40 === 39) await storage.compact(storage.revision - 15);
        }
        for (const state of states.filter((one) => one.revision >= storage.compactedRevision))
          expect(await keysAt(state.revision)).toEqual(state.keys);
      });

      test('during writes', async () => {
        let done = false;
        const compacting = (async () => {
          while (!done) {
            await storage.compact(Math.max(storage.revision - 50, 1));
            await new Promise((resolve) => setImmediate(resolve));
          }
        })();
        const recorder = new Recorder(storage);
        const writers = Array.from({ length: 8 }, async (_, writer) => {
          let revision = 0;
          for (let round = 0; round < 50; round += 1)
            revision = await put(storage, `/w${writer}`, `${round}`, revision);
        });
        await Promise.all(writers);
        done = true;
        await compacting;
        expect(recorder.events).toHaveLength(400);
        expect(await storage.count('/', '0')).toBe(8);
      });
    });

    describe('leases', () => {
      test('the store deletes an expired key with an ordinary change', async () => {
        const recorder = new Recorder(storage);
        const short = await put(storage, '/short', 's', 0, 10);
        await put(storage, '/long', 'l', 0, 100);
        clock.advance(9_000);
        expect((await storage.get('/short')).entry?.revision).toBe(short);
        clock.advance(2_000);
        await recorder.until(() => recorder.events.length === 3);
        expect(recorder.events[2]).toMatchObject({
          type: 'delete',
          key: '/short',
          previous: { revision: short },
        });
        expect(await keysAt()).toEqual(['/long']);
        clock.advance(100_000);
        await recorder.until(() => recorder.events.length === 4);
        expect(await keysAt()).toEqual([]);
      });

      test('a later write replaces or removes the lease', async () => {
        const recorder = new Recorder(storage);
        const extended = await put(storage, '/extended', '1', 0, 10);
        const kept = await put(storage, '/kept', '1', 0, 10);
        const gone = await put(storage, '/gone', '1', 0, 10);
        await put(storage, '/extended', '2', extended, 30);
        await put(storage, '/kept', '2', kept);
        await remove(storage, '/gone', gone);
        await put(storage, '/gone', '2');
        await put(storage, '/marker', '', 0, 15);
        clock.advance(20_000);
        await advanceUntil(() => recorder.events.at(-1)?.type === 'delete');
        expect(recorder.events.at(-1)!.key).toBe('/marker');
        expect(await keysAt()).toEqual(['/extended', '/gone', '/kept']);
        clock.advance(20_000);
        await advanceUntil(() => recorder.events.at(-1)?.key === '/extended');
        expect(await keysAt()).toEqual(['/gone', '/kept']);
      });

      test('expires many keys at once', async () => {
        const recorder = new Recorder(storage);
        await Promise.all(Array.from({ length: 700 }, (_, index) => put(storage, `/e${index}`, '', 0, 5)));
        clock.advance(6_000);
        await advanceUntil(() => recorder.events.length === 1400);
        expect(await storage.count('/', '0')).toBe(0);
      });
    });

    test('statistics count live keys', async () => {
      const revision = await put(storage, '/a', 'one');
      await put(storage, '/b', 'two');
      await remove(storage, '/a', revision);
      expect((await storage.statistics()).keys).toBe(1);
    });

    test('close completes pending writes, ends watches and refuses later requests', async () => {
      const recorder = new Recorder(storage);
      const pending = put(storage, '/a', 'one');
      await storage.close();
      await storage.close();
      expect(await pending).toBe(storage.revision);
      expect(recorder.events).toHaveLength(1);
      expect((await recorder.ended).name).toBe('StorageUnavailableError');
      await expect(put(storage, '/b', '')).rejects.toMatchObject({ name: 'StorageUnavailableError' });
      await expect((async () => storage.get('/a'))()).rejects.toMatchObject({
        name: 'StorageUnavailableError',
      });
      await expect(new Recorder(storage).ended).resolves.toMatchObject({ name: 'StorageUnavailableError' });
      expect(storage.health()).toBeInstanceOf(Error);
    });
  });
}
