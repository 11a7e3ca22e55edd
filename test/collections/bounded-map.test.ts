import { expect, it } from 'vitest';
import { BoundedMap } from '../../src/collections/bounded-map.ts';

it('evicts the key that was set first', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  expect(map.size).toBe(2);
  map.set('c', 4);
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([3, undefined, 4]);
});

it('removes one key or all', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1);
  map.delete('a');
  expect(map.get('a')).toBeUndefined();
  map.set('b', 1);
  map.clear();
  expect(map.size).toBe(0);
});
