import { beforeEach, describe, expect, test } from 'vitest';
import { CompactedError, FutureRevisionError, type Storage } from '../../../src/storage/storage.ts';
import { bytes, put, Recorder, remove, text } from '../helpers.ts';
import { all, type ContractFixture } from './fixture.ts';

export function rangesContract(fixture: ContractFixture): void {
  let storage: Storage;
  beforeEach(() => {
    storage = fixture.storage;
  });

  describe('ranges', () => {
    test('ordered by bytes, start inclusive, end exclusive, with limit, count and more', async () => {
      for (const key of ['/b', '/a', '/c', '/é', '/d']) await put(storage, key, key);
      expect(await fixture.keysAt()).toEqual(['/a', '/b', '/c', '/d', '/\u00c3\u00a9']);
      const page = await storage.range({ start: '/b', end: '/d', limit: 1 });
      expect(page).toMatchObject({ count: 2, more: true, revision: await storage.currentRevision() });
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
      expect(entries).toEqual([{ key: '/a', value: new Uint8Array(0), revision, createRevision: revision }]);
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
        const snapshot = await storage.currentRevision();
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
      const past = await storage.currentRevision();
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
        const target = await storage.currentRevision();
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
      await expect(attempt(() => storage.get('/a', second + 1))).rejects.toBeInstanceOf(FutureRevisionError);
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
}
