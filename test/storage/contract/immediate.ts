import { beforeEach, describe, expect, test } from 'vitest';
import type { ImmediateStorage } from '../../../src/storage/storage.ts';
import { bytes, put, Recorder, remove } from '../helpers.ts';
import type { ContractFixture } from './fixture.ts';

/** The capability of stores that apply changes at once. */
export function immediateContract(fixture: ContractFixture): void {
  let storage: ImmediateStorage;
  beforeEach(() => {
    const { immediate } = fixture.storage;
    if (immediate === undefined) throw new Error('the store does not apply changes at once');
    storage = immediate;
  });

  describe('a store that applies changes at once', () => {
    test('its revisions are known without a read', async () => {
      expect(storage.compactedRevision).toBe(0);
      expect(storage.revision).toBe(await storage.currentRevision());
      const revision = await put(storage, '/a', 'one');
      expect(storage.revision).toBe(revision);
      await storage.compact(revision);
      expect(storage.compactedRevision).toBe(revision);
      await storage.compact(revision - 1);
      expect(storage.compactedRevision).toBe(revision);
    });

    test('watches receive a change before its write is acknowledged, and read its revision', async () => {
      const seen: number[] = [];
      storage.watch({
        start: '/',
        end: '0',
        onEvents: () => seen.push(storage.revision),
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
      expect(storage.revision).toBe(await pending);
    });
  });
}
