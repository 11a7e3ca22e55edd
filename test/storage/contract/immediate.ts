import { beforeEach, describe, expect, test } from 'vitest';
import { type ImmediateState, KeyExistsError, type Storage } from '../../../src/storage/storage.ts';
import { bytes, put, Recorder, remove, text } from '../helpers.ts';
import type { ContractFixture } from './fixture.ts';

/** The capability of stores that apply changes at once. */
export function immediateContract(fixture: ContractFixture): void {
  let storage: Storage;
  let state: ImmediateState;
  beforeEach(() => {
    const { immediate } = fixture.storage;
    if (immediate === undefined) throw new Error('the store does not apply changes at once');
    storage = fixture.storage;
    state = immediate;
  });

  describe('a store that applies changes at once', () => {
    test('its revisions are known without a read', async () => {
      expect(state.compactedRevision).toBe(0);
      expect(state.revision).toBe(await storage.currentRevision());
      const revision = await put(storage, '/a', 'one');
      expect(state.revision).toBe(revision);
      await storage.compact(revision);
      expect(state.compactedRevision).toBe(revision);
      await storage.compact(revision - 1);
      expect(state.compactedRevision).toBe(revision);
    });

    test('watches receive a change before its write is acknowledged, and read its revision', async () => {
      const seen: number[] = [];
      storage.watch({
        start: '/',
        end: '0',
        onEvents: () => seen.push(state.revision),
        onEnd: () => undefined,
      });
      const recorder = new Recorder(storage);
      const created = await put(storage, '/a', 'one');
      expect(recorder.revisions).toEqual([created]);
      const removed = await remove(storage, '/a', created);
      expect(recorder.revisions).toEqual([created, removed]);
      const [first, second] = await storage.createBatch(
        ['/x', '/y'].map((key) => ({ key, value: bytes(key) })),
      );
      expect(recorder.revisions).toEqual([created, removed, first, second]);
      expect(seen).toEqual([created, removed, second]);
    });

    test('a watch that has ended with the store received every acknowledged change', async () => {
      const recorder = new Recorder(storage);
      const pending = put(storage, '/a', 'one');
      await storage.close();
      expect(recorder.revisions).toEqual([await pending]);
      expect(state.revision).toBe(await pending);
    });

    test('idle watches receive throttled progress', async () => {
      const idle = new Recorder(storage, undefined, '/idle/', '/idle0');
      const first = await put(storage, '/busy', '0');
      await idle.until(() => idle.progress.length === 1);
      expect(idle.progress).toEqual([first]);
      let revision = first;
      for (let round = 0; round < 5; round += 1) revision = await put(storage, '/busy', `${round}`, revision);
      expect(idle.progress).toEqual([first]);
      fixture.clock.advance(1000);
      await idle.until(() => idle.progress.length === 2);
      expect(idle.progress).toEqual([first, revision]);
      fixture.clock.advance(10_000);
      expect(idle.progress).toEqual([first, revision]);
      const caughtUp = new Recorder(storage, first, '/idle/', '/idle0');
      await caughtUp.until(() => caughtUp.progress.length > 0);
      expect(caughtUp.progress).toEqual([revision]);
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

    test('entries of a batch get their revisions in order', async () => {
      const first = await storage.currentRevision();
      const recorder = new Recorder(storage);
      const revisions = await storage.createBatch(
        ['/x', '/y', '/z'].map((key) => ({ key, value: bytes(key) })),
      );
      expect(revisions).toEqual([first + 1, first + 2, first + 3]);
      await recorder.until(() => recorder.events.length === 3);
      expect(recorder.revisions).toEqual(revisions);
      expect(await fixture.keysAt()).toEqual(['/x', '/y', '/z']);
      expect(await storage.createBatch([])).toEqual([]);
    });

    test('nothing of a batch is written when a key exists or is in it twice', async () => {
      await put(storage, '/y', '');
      const before = await storage.currentRevision();
      const batch = (...keys: string[]) =>
        storage.createBatch(keys.map((key) => ({ key, value: bytes('v') })));
      await expect(batch('/x', '/y')).rejects.toBeInstanceOf(KeyExistsError);
      await expect(batch('/x', '/x')).rejects.toBeInstanceOf(KeyExistsError);
      expect(await fixture.keysAt()).toEqual(['/y']);
      expect(await storage.currentRevision()).toBe(before);
    });

    test('previous values are kept at the compacted revision', async () => {
      const created = await put(storage, '/a', 'one');
      const gone = await remove(storage, '/a', created);
      await storage.compact(gone);
      const kept = new Recorder(storage, gone);
      await kept.until(() => kept.events.length === 1);
      expect(kept.events).toMatchObject([{ type: 'delete', previous: { revision: created } }]);
      expect(text(kept.events[0]!.previous!.value)).toBe('one');
    });
  });
}
