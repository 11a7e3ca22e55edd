import { describe, expect, test } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { RevocableStorage } from '../../src/storage/revocable-storage.ts';
import { StoreReplacedError } from '../../src/storage/storage.ts';
import { LateStorage } from './late-storage.ts';

const value = Buffer.from('1');
const range = { start: '/', end: '0' };

describe('a store that was taken back', () => {
  const fixture = async () => {
    const inner = createMemoryStorage();
    const storage = new RevocableStorage(new LateStorage(inner));
    await storage.transact({ key: '/a', expected: 0, value });
    const ends: unknown[] = [];
    const watch = () =>
      storage.watch({ ...range, onEvents: () => undefined, onEnd: (error) => ends.push(error) });
    return { inner, storage, ends, watch };
  };

  test('ends its watches with the reason, except closed ones', async () => {
    const { storage, ends, watch } = await fixture();
    watch();
    watch().close();
    const reason = new StoreReplacedError('another');
    storage.revoke(reason);
    storage.revoke(reason);
    expect(ends).toEqual([reason]);
  });

  test('is neither read nor written any more', async () => {
    const { inner, storage, ends, watch } = await fixture();
    storage.revoke(new StoreReplacedError('another'));
    const unavailable = { name: 'StorageUnavailableError', message: expect.stringContaining('was replaced') };
    for (const call of [
      () => storage.get('/a'),
      () => storage.range(range),
      () => storage.count('/', '0'),
      () => storage.transact({ key: '/b', expected: 0, value }),
      () => storage.createBatch([{ key: '/b', value }]),
      () => storage.compact(1),
      () => storage.currentRevision(),
    ])
      await expect(call()).rejects.toMatchObject(unavailable);
    watch();
    await Promise.resolve();
    expect(ends).toMatchObject([unavailable]);
    expect((await inner.get('/b')).entry).toBeUndefined();
    await storage.close();
    expect((await inner.get('/a')).entry).toBeDefined();
  });
});
