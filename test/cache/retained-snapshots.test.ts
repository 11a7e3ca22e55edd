import { expect, test } from 'vitest';
import type { CacheRecord } from '../../src/cache/record.ts';
import { RetainedSnapshots } from '../../src/cache/retained-snapshots.ts';
import { createSortedMap } from '../../src/storage/sorted-map.ts';

test('a retained snapshot is dropped after five minutes without use', () => {
  let time = 0;
  const kept = new RetainedSnapshots(undefined, () => time);
  kept.retain(1, createSortedMap<CacheRecord>());
  kept.retain(2, createSortedMap<CacheRecord>());
  time = 4 * 60_000;
  expect(kept.get(2)).toBeDefined();
  kept.compact(0);
  expect([kept.has(1), kept.has(2)]).toEqual([true, true]);
  time = 6 * 60_000;
  kept.compact(0);
  expect([kept.has(1), kept.has(2)]).toEqual([false, true]);
  time = 10 * 60_000;
  kept.compact(0);
  expect(kept.has(2)).toBe(false);
});
