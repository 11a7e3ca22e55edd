import { describe, expect, test } from 'vitest';
import { ResourceCache } from '../../src/cache/resource-cache.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import {
  CompactedError,
  type MaybePromise,
  type Storage,
  StorageUnavailableError,
  type WatchOptions,
} from '../../src/storage/storage.ts';
import { FakeClock } from '../storage/fake-clock.ts';
import { put } from '../storage/helpers.ts';
import { DELIVERIES, plainReader, TestSink, turn } from './support.ts';

type WatchFault = (options: WatchOptions) => void;

/**
 * A store that lists the state before the newest change, as a large range does, and whose first watches end
 * according to `faults`.
 */
function lateStore(inner: Storage, failures: WatchFault[]): { storage: Storage; lists: () => number } {
  let lists = 0;
  const storage = new Proxy(inner, {
    get(target, name) {
      if (name === 'range')
        return async (options: Parameters<Storage['range']>[0]) => {
          // A read barrier lists nothing.
          if (options.limit === 1) return target.range(options);
          lists += 1;
          const result = await target.range(options);
          await put(target, `/r/later-${lists}`, '');
          return result;
        };
      if (name === 'watch')
        return (options: WatchOptions) => {
          const fault = failures.shift();
          if (!fault) return target.watch(options);
          queueMicrotask(() => fault(options));
          return { close: () => undefined, requestProgress: () => undefined };
        };
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { storage, lists: () => lists };
}

function setUp(failures: WatchFault[], wrap: (storage: Storage) => Storage) {
  const inner = createMemoryStorage();
  const clock = new FakeClock();
  const { storage, lists } = lateStore(inner, failures);
  const cache = new ResourceCache({
    storage: wrap(storage),
    prefix: '/r/',
    reader: plainReader,
    eventBytes: 1 << 20,
    clock,
  });
  /** Advances time until `promise` is settled. */
  const settled = async <T>(promise: MaybePromise<T>): Promise<T> => {
    let done = false;
    void Promise.resolve(promise).then(
      () => (done = true),
      () => (done = true),
    );
    for (let step = 0; step < 2000 && !done; step += 1) {
      clock.advance(100);
      await turn();
    }
    if (!done) throw new Error('the promise does not settle');
    return promise;
  };
  return { inner, cache, lists, settled };
}

const ends: WatchFault = ({ onEnd }) => onEnd(new CompactedError(3, 4));

describe.each(DELIVERIES)('filling from a store that delivers %s', (_name, wrap) => {
  test('a fill whose watch ends before it has caught up is retried with a new list', async () => {
    const { inner, cache, lists, settled } = setUp([ends, ends], wrap);
    await put(inner, '/r/a', '');
    const waiting = [cache.ready(), cache.ready()];
    await settled(Promise.all(waiting));
    expect(lists()).toBe(3);
    expect([...'123'].map((one) => cache.get(`/r/later-${one}`)?.name)).toEqual([
      'later-1',
      'later-2',
      'later-3',
    ]);
    expect(cache.ready()).toBeUndefined();
    await put(inner, '/r/b', '');
    await settled(cache.waitFresh('latest'));
    expect(cache.get('/r/b')).toBeDefined();
  });

  test('a store whose watches always end fails waiting callers, and later callers retry', async () => {
    const { cache, lists, settled } = setUp(
      Array.from({ length: 4 }, () => ends),
      wrap,
    );
    const error = await settled(Promise.resolve(cache.ready()).catch((reason: Error) => reason));
    expect(error).toBeInstanceOf(StorageUnavailableError);
    expect((error as Error).message).toMatch(
      /^the cache of \/r\/ cannot be filled: the watch of the store ended \(.*compacted.*\); try again later$/,
    );
    expect(lists()).toBe(4);
    await settled(Promise.resolve(cache.ready()));
    expect(cache.size).toBe(5);
  });

  test('a fill whose watch stalls times out', async () => {
    const { cache, lists, settled } = setUp([() => undefined], wrap);
    await settled(Promise.resolve(cache.ready()));
    expect(lists()).toBe(2);
  });

  test('a watch of the store that ends later ends the watches of clients; the next reader refills the cache', async () => {
    let breakStream: (error: Error) => void = () => undefined;
    const { inner, cache, settled } = setUp(
      [
        ({ onProgress, onEnd }) => {
          breakStream = onEnd;
          onProgress?.(inner.revision, false);
        },
      ],
      wrap,
    );
    await settled(Promise.resolve(cache.ready()));
    const [before, between] = [new TestSink(), new TestSink()];
    cache.watch({ prefix: '/r/' }, cache.revision, before);
    breakStream(new Error('the connection is closed'));
    await turn();
    expect(before).toMatchObject({ ended: true, error: undefined });
    cache.watch({ prefix: '/r/' }, cache.revision, between);
    await turn();
    expect(between.ended).toBe(true);
    await settled(Promise.resolve(cache.ready()));
    await put(inner, '/r/b', '');
    await settled(cache.waitFresh('latest'));
    expect(cache.get('/r/b')).toBeDefined();
  });
});
