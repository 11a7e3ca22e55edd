import { beforeEach, describe, expect, test } from 'vitest';
import { FutureRevisionError, type Storage, type StoreEvent } from '../../../src/storage/storage.ts';
import { bytes, put, Recorder, remove, text } from '../helpers.ts';
import type { ContractFixture } from './fixture.ts';

export function compactionContract(fixture: ContractFixture): void {
  let storage: Storage;
  beforeEach(() => {
    storage = fixture.storage;
  });

  describe('compaction', () => {
    test('ends watches that start before it, keeps the state and later events', async () => {
      const a1 = await put(storage, '/a', 'a1');
      const b1 = await put(storage, '/b', 'b1');
      const a2 = await put(storage, '/a', 'a2', a1);
      const bGone = await remove(storage, '/b', b1);
      const a3 = await put(storage, '/a', 'a3', a2);
      await storage.compact(bGone);
      await expect(new Recorder(storage, a2).ended).resolves.toMatchObject({
        name: 'CompactedError',
        compactedRevision: bGone,
      });
      const kept = new Recorder(storage, bGone);
      await kept.until(() => kept.events.length === 2);
      expect(kept.events).toMatchObject([
        { type: 'delete', key: '/b', revision: bGone },
        { type: 'put', key: '/a', revision: a3, previous: { revision: a2 } },
      ]);
      // The revision of the previous entry has been compacted.
      const [{ previous, previousCompacted }] = kept.events as [StoreEvent];
      if (previousCompacted) expect(previous).toBeUndefined();
      else expect(previous).toMatchObject({ revision: b1, value: bytes('b1') });
      expect(await fixture.keysAt(bGone)).toEqual(['/a']);
      expect(text((await storage.get('/a', bGone)).entry!.value)).toBe('a2');
      expect(await fixture.keysAt()).toEqual(['/a']);
    });

    test('is a no-op below the compacted revision and refused for a future revision', async () => {
      const first = await put(storage, '/a', '1');
      const second = await put(storage, '/b', '1');
      await storage.compact(second);
      await storage.compact(first);
      await storage.compact(second);
      expect(await fixture.keysAt(second)).toEqual(['/a', '/b']);
      await expect(storage.compact(second + 1)).rejects.toBeInstanceOf(FutureRevisionError);
    });

    test('keys deleted before it can be created again; later history stays complete', async () => {
      const model = new Map<string, number>();
      let compacted = 0;
      const states: { revision: number; keys: string[] }[] = [];
      for (let round = 0; round < 200; round += 1) {
        const key = `/k${(round * 7) % 13}`;
        const expected = model.get(key) ?? 0;
        if (expected && round % 3 === 0) {
          await remove(storage, key, expected);
          model.delete(key);
        } else model.set(key, await put(storage, key, `${round}`, expected));
        states.push({ revision: await storage.currentRevision(), keys: [...model.keys()].sort() });
        if (round % 40 !== 39) continue;
        compacted = (await storage.currentRevision()) - 15;
        await storage.compact(compacted);
      }
      for (const state of states.filter((one) => one.revision >= compacted))
        expect(await fixture.keysAt(state.revision)).toEqual(state.keys);
    });

    test('during writes', async () => {
      const recorder = new Recorder(storage);
      // The watch must have begun before compaction can pass its first revision.
      await put(storage, '/first', '', 0);
      await recorder.until(() => recorder.events.length === 1);
      let done = false;
      const compacting = (async () => {
        while (!done) {
          await storage.compact(Math.max((await storage.currentRevision()) - 50, 1));
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        let revision = 0;
        for (let round = 0; round < 50; round += 1)
          revision = await put(storage, `/w${writer}`, `${round}`, revision);
      });
      await Promise.all(writers);
      done = true;
      await compacting;
      await recorder.until(() => recorder.events.length === 401);
      expect(await storage.count('/', '0')).toBe(9);
    });
  });
}
