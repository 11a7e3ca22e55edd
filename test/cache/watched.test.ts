import { expect, it } from 'vitest';
import { ResourceCache } from '../../src/cache/resource-cache.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { DELIVERIES, plainReader, TestSink } from './support.ts';

it.each(DELIVERIES)(
  'counts watches of the resource and of a namespace as watches of a collection, not those of one name or without encodings; delivered %s',
  async (_name, wrap) => {
    const storage = createMemoryStorage();
    const cache = new ResourceCache({
      storage: wrap(storage),
      prefix: '/r/',
      reader: plainReader,
      eventBytes: 1 << 20,
    });
    await cache.ready();
    cache.watch({ prefix: '/r/a/', key: '/r/a/one' }, cache.revision, new TestSink());
    cache.watch({ prefix: '/r/', oneName: true }, cache.revision, new TestSink());
    cache.watch({ prefix: '/r/', encodes: false }, cache.revision, new TestSink());
    expect(cache.isWatched('/r/a/')).toBe(false);
    const namespaced = cache.watch({ prefix: '/r/a/' }, cache.revision, new TestSink());
    expect([cache.isWatched('/r/a/'), cache.isWatched('/r/b/')]).toEqual([true, false]);
    namespaced.close();
    cache.watch({ prefix: '/r/' }, cache.revision, new TestSink());
    expect(cache.isWatched('/r/b/')).toBe(true);
    cache.close();
    await storage.close();
  },
);
