import { describe, expect, test } from 'vitest';
import { ResourceCache } from '../../src/cache/resource-cache.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { FakeClock } from '../storage/fake-clock.ts';
import { put, remove } from '../storage/helpers.ts';
import { LateStorage } from '../storage/late-storage.ts';
import { UntrustedStorage } from '../storage/untrusted-storage.ts';
import { plainReader, TestSink, turn, turnsUntil } from './support.ts';

const cacheOf = (storage: Storage, clock = new FakeClock()) =>
  new ResourceCache({ storage, prefix: '/r/', reader: plainReader, eventBytes: 1 << 20, clock });

/** Whether a promise has settled, now or later. */
function watched(promise: unknown) {
  const state = { settled: false, error: undefined as unknown };
  Promise.resolve(promise).then(
    () => {
      state.settled = true;
    },
    (error: unknown) => {
      Object.assign(state, { settled: true, error });
    },
  );
  return state;
}

async function lateCache() {
  const inner = createMemoryStorage();
  const clock = new FakeClock();
  const late = new LateStorage(inner);
  const cache = cacheOf(late, clock);
  await cache.ready();
  late.ranges.length = 0;
  late.progressRequests = 0;
  return { inner, late, cache, clock };
}

describe('a store that applies changes at once', () => {
  test('delays no reader of the latest state', async () => {
    const storage = createMemoryStorage();
    const cache = cacheOf(storage);
    expect(cache.waitFresh('latest')).toBeUndefined();
    const revision = await put(storage, '/r/a', '');
    expect(cache.waitFresh('latest')).toBeUndefined();
    expect(cache.waitFresh(revision)).toBeUndefined();
    await put(storage, '/other', '');
    expect(cache.waitFresh(revision + 1)).toBeUndefined();
  });

  test('wakes a reader of a future revision when it is reached, also by another resource', async () => {
    const storage = createMemoryStorage();
    const cache = cacheOf(storage);
    const revision = await put(storage, '/r/a', '');
    const waiting = [watched(cache.waitFresh(revision + 1)), watched(cache.waitFresh(revision + 2))];
    await turn();
    expect(waiting).toMatchObject([{ settled: false }, { settled: false }]);
    await put(storage, '/r/b', '');
    await turn();
    expect(waiting).toMatchObject([{ settled: true, error: undefined }, { settled: false }]);
    await put(storage, '/other', '');
    await turnsUntil(() => waiting[1]!.settled);
    expect(waiting[1]!.error).toBeUndefined();
  });
});

describe('a store that delivers late', () => {
  test('its cache shows the revision that was delivered, and readers wait for what was written', async () => {
    const { inner, late, cache } = await lateCache();
    const first = await put(inner, '/r/a', '');
    await cache.waitFresh('latest');
    expect(cache.revision).toBe(first);
    late.hold();
    const second = await put(inner, '/r/b', '');
    expect(cache.waitFresh(first)).toBeUndefined();
    const waiting = watched(cache.waitFresh('latest'));
    const exact = watched(cache.waitFresh(second));
    await turn();
    await turn();
    expect([cache.revision, cache.get('/r/b'), cache.current().revision]).toEqual([first, undefined, first]);
    expect([waiting.settled, exact.settled]).toEqual([false, false]);
    late.release();
    await turnsUntil(() => waiting.settled && exact.settled);
    expect(cache.revision).toBe(second);
    expect(cache.get('/r/b')).toBeDefined();
  });

  test('progress alone makes the cache fresh when other resources change', async () => {
    const { inner, cache } = await lateCache();
    const revision = await put(inner, '/other', '');
    await cache.waitFresh('latest');
    expect(cache.revision).toBe(revision);
    const watch = cache.watch({ prefix: '/r/' }, revision, new TestSink());
    expect(watch.deliveredRevision()).toBe(revision);
  });

  test('waiting readers share a barrier; one that comes after it was sent takes the next', async () => {
    const { inner, late, cache } = await lateCache();
    let answer: () => void = () => undefined;
    late.beforeRange = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const first = [1, 2, 3].map(() => watched(cache.waitFresh('latest')));
    await turn();
    expect(late.ranges).toMatchObject([{ start: '/r/', end: '/r0', limit: 1, keysOnly: true }]);
    await put(inner, '/r/a', '');
    late.hold();
    const second = [1, 2, 3].map(() => watched(cache.waitFresh('latest')));
    await turn();
    expect(late.ranges).toHaveLength(1);
    answer();
    await turn();
    expect(late.ranges).toHaveLength(2);
    answer();
    await turn();
    expect(second.some(({ settled }) => settled)).toBe(false);
    late.release();
    await turnsUntil(() => [...first, ...second].every(({ settled }) => settled));
    expect(cache.get('/r/a')).toBeDefined();
    expect(late.ranges).toHaveLength(2);
  });

  test('a failed barrier fails its readers only', async () => {
    const { late, cache } = await lateCache();
    late.beforeRange = () => Promise.reject(new Error('no connection'));
    const failed = [watched(cache.waitFresh('latest')), watched(cache.waitFresh('latest'))];
    await turn();
    expect(failed).toMatchObject([
      { error: { message: 'no connection' } },
      { error: { message: 'no connection' } },
    ]);
    late.beforeRange = () => undefined;
    await cache.waitFresh('latest');
  });

  test('one request for progress is outstanding; an answer that is too old is followed by a pause', async () => {
    const { inner, late, cache, clock } = await lateCache();
    late.hold();
    const revision = await put(inner, '/other', '');
    const waiting = [1, 2, 3].map(() => watched(cache.waitFresh('latest')));
    const future = watched(cache.waitFresh(revision + 1));
    await turn();
    expect(late.progressRequests).toBe(1);
    late.release();
    await turnsUntil(() => waiting.every(({ settled }) => settled));
    // The reader of the barrier waits again after the first request.
    await turn();
    await turn();
    const requests = late.progressRequests;
    expect(requests).toBeLessThanOrEqual(2);
    await turn();
    expect([late.progressRequests, future.settled]).toEqual([requests, false]);
    clock.advance(99);
    await turn();
    expect(late.progressRequests).toBe(requests);
    clock.advance(1);
    await turn();
    expect(late.progressRequests).toBe(requests + 1);
    await put(inner, '/other2', '');
    clock.advance(100);
    await turnsUntil(() => future.settled);
    expect(future.error).toBeUndefined();
    const last = late.progressRequests;
    clock.advance(1000);
    await turn();
    expect(late.progressRequests).toBe(last);
  });

  test('a revision that does not come in time, and a store that does not answer, are errors', async () => {
    const { inner, late, cache, clock } = await lateCache();
    const future = watched(cache.waitFresh(cache.revision + 5, 200));
    late.beforeRange = () => new Promise(() => undefined);
    const latest = watched(cache.waitFresh('latest'));
    await turn();
    clock.advance(199);
    await turn();
    expect(future.settled).toBe(false);
    clock.advance(1);
    await turn();
    expect(future.error).toMatchObject({ code: 504, reason: 'Timeout' });
    expect((future.error as Error).message).toBe(
      `Timeout: Too large resource version: ${cache.revision + 5}, current: ${cache.revision}`,
    );
    clock.advance(3000);
    await turn();
    expect(latest.error).toMatchObject({ name: 'StorageUnavailableError' });
    await inner.close();
  });

  test('a watch of the store that ends while readers wait is replaced, and they get the new state', async () => {
    const inner = createMemoryStorage();
    let end: (error: Error) => void = () => undefined;
    const late = new LateStorage(inner);
    const watch = late.watch.bind(late);
    late.watch = (options) => {
      end = options.onEnd;
      return watch(options);
    };
    const cache = cacheOf(late);
    await cache.ready();
    late.hold();
    await put(inner, '/r/a', '');
    const waiting = watched(cache.waitFresh('latest'));
    await turn();
    await turn();
    end(new Error('the connection is closed'));
    late.release();
    await turnsUntil(() => waiting.settled);
    expect(waiting.error).toBeUndefined();
    expect(cache.get('/r/a')).toBeDefined();
  });
});

describe('a store whose watches cannot report progress', () => {
  async function untrustedCache() {
    const inner = createMemoryStorage();
    const first = await put(inner, '/r/a', '1');
    await put(inner, '/r/b', '1');
    const storage = new UntrustedStorage(inner);
    const clock = new FakeClock();
    const cache = cacheOf(storage, clock);
    await cache.ready();
    return { inner, storage, cache, clock, first };
  }

  test('a cache that equals the store is fresh, although other resources change', async () => {
    const { inner, storage, cache } = await untrustedCache();
    const elsewhere = await put(inner, '/other', '1');
    await cache.waitFresh('latest');
    await cache.waitFresh(elsewhere);
    expect(storage.comparisons).toBe(2);
    expect(cache.revision).toBeLessThan(elsewhere);
  });

  test.each([
    ['written', (inner: Storage, first: number) => put(inner, '/r/a', '2', first)],
    ['created', (inner: Storage) => put(inner, '/r/c', '1')],
    ['deleted', (inner: Storage, first: number) => remove(inner, '/r/a', first)],
  ])('a read waits for a key that was %s', async (_, change) => {
    const { inner, storage, cache, clock, first } = await untrustedCache();
    storage.hold();
    const revision = await change(inner, first);
    await put(inner, '/other', '1');
    const read = watched(cache.waitFresh('latest'));
    await turn();
    clock.advance(500);
    await turn();
    expect(read.settled).toBe(false);
    storage.release();
    await turnsUntil(() => {
      clock.advance(100);
      return read.settled;
    });
    expect(read.error).toBeUndefined();
    expect(cache.revision).toBe(revision);
  });

  test('a revision that does not exist is too large', async () => {
    const { cache, clock } = await untrustedCache();
    const read = watched(cache.waitFresh(1000));
    await turnsUntil(() => {
      clock.advance(100);
      return read.settled;
    });
    expect(read.error).toMatchObject({ code: 504 });
  });
});
