import { expect, test } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { immediateStorageContract } from './contract.ts';
import { put } from './helpers.ts';

immediateStorageContract('memory storage', async (clock) => ({
  storage: createMemoryStorage({ clock }),
  dispose: async () => undefined,
}));

test('memory storage compacts automatically when its history is too large', async () => {
  const storage = createMemoryStorage({ maximumHistoryBytes: 100_000 });
  let revision = 0;
  for (let round = 0; round < 500; round += 1)
    revision = await put(storage, '/a', 'x'.repeat(1000), revision);
  expect(storage.compactedRevision).toBeGreaterThan(400);
  expect(storage.compactedRevision).toBeLessThan(revision);
});

test('memory storage refuses a backup', async () => {
  await expect(createMemoryStorage().backup('/nowhere')).rejects.toMatchObject({
    name: 'StorageUnavailableError',
  });
});
