import { beforeEach, describe, expect, test } from 'vitest';
import { KeyExistsError, KeyTooLongError, type Storage } from '../../../src/storage/storage.ts';
import { bytes, put, Recorder, remove, text } from '../helpers.ts';
import type { ContractFixture } from './fixture.ts';

export function singleKeysContract(fixture: ContractFixture): void {
  let storage: Storage;
  beforeEach(() => {
    storage = fixture.storage;
  });

  describe('single keys', () => {
    test('an empty store has a revision other than 0 and no compaction', async () => {
      expect(await storage.currentRevision()).toBeGreaterThan(0);
      expect(await storage.health()).toBeUndefined();
      expect((await storage.get('/a')).entry).toBeUndefined();
    });

    test('create, read, update, delete: each change gets the next revision', async () => {
      const first = await storage.currentRevision();
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
      expect(await storage.currentRevision()).toBe(again);
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
      expect(await storage.currentRevision()).toBe(created);
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
      expect(other).toBe(await storage.currentRevision());
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
      expect(await remove(storage, long, await storage.currentRevision())).toBe(
        await storage.currentRevision(),
      );
    });
  });

  describe('batches', () => {
    test('each entry gets its own revision', async () => {
      const first = await storage.currentRevision();
      const recorder = new Recorder(storage);
      const revisions = await storage.createBatch(
        ['/x', '/y', '/z'].map((key) => ({ key, value: bytes(key) })),
      );
      expect([...revisions].sort((a, b) => a - b)).toEqual([first + 1, first + 2, first + 3]);
      await recorder.until(() => recorder.events.length === 3);
      for (const { key, revision } of recorder.events)
        expect(revisions['xyz'.indexOf(key[1]!)]).toBe(revision);
      expect(await fixture.keysAt()).toEqual(['/x', '/y', '/z']);
      expect(await storage.createBatch([])).toEqual([]);
    });

    test('a key that exists, or is in the batch twice, is refused', async () => {
      const revision = await put(storage, '/y', '');
      const batch = (...keys: string[]) =>
        storage.createBatch(keys.map((key) => ({ key, value: bytes('v') })));
      await expect(batch('/x', '/y')).rejects.toBeInstanceOf(KeyExistsError);
      await expect(batch('/z', '/z')).rejects.toBeInstanceOf(KeyExistsError);
      expect((await storage.get('/y')).entry?.revision).toBe(revision);
      expect((await storage.get('/z')).entry).toBeUndefined();
    });
  });
}
