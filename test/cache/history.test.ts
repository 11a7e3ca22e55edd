import { beforeEach, describe, expect, test } from 'vitest';
import { readHistory, SharedHistory } from '../../src/cache/history.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import type { Storage, StoreEvent } from '../../src/storage/storage.ts';
import { FakeClock } from '../storage/fake-clock.ts';
import { put } from '../storage/helpers.ts';
import { LateStorage } from '../storage/late-storage.ts';

describe('history of a resource', () => {
  let storage: Storage;
  let clock: FakeClock;
  let reads: number[];
  let history: SharedHistory<StoreEvent>;
  let newest: number;
  beforeEach(async () => {
    clock = new FakeClock();
    storage = new LateStorage(createMemoryStorage({ clock }));
    for (let index = 0; index < 20; index += 1) newest = await put(storage, `/a/${index}`, 'x');
    reads = [];
    history = new SharedHistory((revision, target) => {
      reads.push(revision);
      return readHistory(storage, '/a/', revision, target);
    }, clock);
  });
  const revisionsAfter = async (revision: number) => {
    const { events } = await history.after(revision, newest);
    return events.map((event) => event.revision);
  };
  const expected = (revision: number) =>
    Array.from({ length: newest - revision }, (_, index) => revision + 1 + index);

  test('watches at later positions share a read, while it runs and afterwards', async () => {
    const together = await Promise.all([5, 8, 5, 20].map(revisionsAfter));
    expect(together).toEqual([5, 8, 5, 20].map(expected));
    expect(await revisionsAfter(11)).toEqual(expected(11));
    expect(reads).toEqual([5]);
  });

  test('an earlier position is read', async () => {
    await revisionsAfter(10);
    expect(await revisionsAfter(3)).toEqual(expected(3));
    expect(await revisionsAfter(7)).toEqual(expected(7));
    expect(reads).toEqual([10, 3]);
  });

  test('what is read is not kept for long', async () => {
    await revisionsAfter(5);
    clock.advance(10_000);
    await revisionsAfter(5);
    history.clear();
    await revisionsAfter(5);
    expect(reads).toEqual([5, 5, 5]);
  });

  test('a quiet resource has no events up to the revision', async () => {
    const last = await put(storage, '/b/0', 'x');
    expect(await history.after(newest, last)).toEqual({ events: [], revision: last });
    expect(await history.after(last, last)).toEqual({ events: [], revision: last });
  });

  test('a read that fails is not shared', async () => {
    await storage.compact(newest);
    const attempts = await Promise.allSettled([history.after(2, newest), history.after(4, newest)]);
    expect(attempts).toMatchObject([
      { reason: { name: 'CompactedError', requestedRevision: 3 } },
      { reason: { name: 'CompactedError', requestedRevision: 5 } },
    ]);
  });
});
