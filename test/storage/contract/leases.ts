import { beforeEach, describe, expect, test } from 'vitest';
import type { Storage } from '../../../src/storage/storage.ts';
import { put, Recorder, remove } from '../helpers.ts';
import type { ContractFixture } from './fixture.ts';

export function leasesContract(fixture: ContractFixture): void {
  let storage: Storage;
  beforeEach(() => {
    storage = fixture.storage;
  });

  describe('leases', () => {
    test('the store deletes an expired key with an ordinary change', async () => {
      const recorder = new Recorder(storage);
      const short = await put(storage, '/short', 's', 0, 10);
      await put(storage, '/long', 'l', 0, 100);
      fixture.clock.advance(9_000);
      expect((await storage.get('/short')).entry?.revision).toBe(short);
      fixture.clock.advance(2_000);
      await recorder.until(() => recorder.events.length === 3);
      expect(recorder.events[2]).toMatchObject({
        type: 'delete',
        key: '/short',
        previous: { revision: short },
      });
      expect(await fixture.keysAt()).toEqual(['/long']);
      fixture.clock.advance(100_000);
      await recorder.until(() => recorder.events.length === 4);
      expect(await fixture.keysAt()).toEqual([]);
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
      fixture.clock.advance(20_000);
      await fixture.advanceUntil(() => recorder.events.at(-1)?.type === 'delete');
      expect(recorder.events.at(-1)!.key).toBe('/marker');
      expect(await fixture.keysAt()).toEqual(['/extended', '/gone', '/kept']);
      fixture.clock.advance(20_000);
      await fixture.advanceUntil(() => recorder.events.at(-1)?.key === '/extended');
      expect(await fixture.keysAt()).toEqual(['/gone', '/kept']);
    });

    test('expires many keys at once', async () => {
      const recorder = new Recorder(storage);
      await Promise.all(Array.from({ length: 700 }, (_, index) => put(storage, `/e${index}`, '', 0, 5)));
      fixture.clock.advance(6_000);
      await fixture.advanceUntil(() => recorder.events.length === 1400);
      expect(await storage.count('/', '0')).toBe(0);
    });
  });
}
