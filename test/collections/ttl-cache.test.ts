import { describe, expect, it } from 'vitest';
import { TtlCache } from '../../src/collections/ttl-cache.ts';

function setUp(capacity: number) {
  let time = 0;
  const cache = new TtlCache<string | undefined>({ capacity, now: () => time });
  const pass = (milliseconds: number): void => {
    time += milliseconds;
  };
  return { cache, pass };
}

describe('TtlCache', () => {
  it('returns an entry until its time to live has passed', () => {
    const { cache, pass } = setUp(2);
    cache.set('a', '1', 10);
    pass(9);
    expect(cache.get('a')?.value).toBe('1');
    pass(1);
    expect(cache.get('a')).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it('tells a cached undefined from an absent entry', () => {
    const { cache } = setUp(2);
    cache.set('a', undefined, 10);
    expect([cache.get('a') !== undefined, cache.get('b') !== undefined]).toEqual([true, false]);
  });

  it('removes an entry that is set without a time to live', () => {
    const { cache } = setUp(2);
    cache.set('a', '1', 10);
    cache.set('a', '2', 0);
    expect(cache.get('a')).toBeUndefined();
  });

  it('renews the time to live of a key that is set again', () => {
    const { cache, pass } = setUp(1);
    cache.set('a', '1', 10);
    pass(9);
    cache.set('a', '2', 10);
    pass(9);
    expect(cache.get('a')?.value).toBe('2');
  });

  it('evicts the oldest entry at the bound', () => {
    const { cache } = setUp(2);
    for (const key of ['a', 'b', 'c']) cache.set(key, key, 10);
    expect(['a', 'b', 'c'].map((key) => cache.get(key)?.value)).toEqual([undefined, 'b', 'c']);
  });

  it('spares entries that were read, each once', () => {
    const { cache } = setUp(2);
    cache.set('a', 'a', 10);
    cache.set('b', 'b', 10);
    cache.get('a');
    cache.set('c', 'c', 10);
    cache.set('d', 'd', 10);
    expect(cache.size).toBe(2);
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key)?.value)).toEqual([
      undefined,
      undefined,
      'c',
      'd',
    ]);
  });

  it('evicts the oldest entry when all were read', () => {
    const { cache } = setUp(3);
    for (const key of ['a', 'b', 'c']) cache.set(key, key, 10);
    for (const key of ['a', 'b', 'c']) cache.get(key);
    cache.set('d', 'd', 10);
    expect(cache.size).toBe(3);
    expect(cache.get('a')).toBeUndefined();
    expect(cache.get('d')?.value).toBe('d');
  });
});
