import { beforeEach, expect, test } from 'vitest';
import type { Storage } from '../../../src/storage/storage.ts';
import { put, Recorder, remove } from '../helpers.ts';
import type { ContractFixture } from './fixture.ts';

export function closingContract(fixture: ContractFixture): void {
  let storage: Storage;
  beforeEach(() => {
    storage = fixture.storage;
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
    const revision = await pending;
    expect((await recorder.ended).name).toBe('StorageUnavailableError');
    expect([[], [revision]]).toContainEqual(recorder.revisions);
    await expect(put(storage, '/b', '')).rejects.toMatchObject({ name: 'StorageUnavailableError' });
    await expect((async () => storage.get('/a'))()).rejects.toMatchObject({
      name: 'StorageUnavailableError',
    });
    await expect(new Recorder(storage).ended).resolves.toMatchObject({ name: 'StorageUnavailableError' });
    expect(await storage.health()).toBeInstanceOf(Error);
  });
}
