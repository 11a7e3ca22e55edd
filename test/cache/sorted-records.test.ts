import { expect, it } from 'vitest';
import type { CacheRecord } from '../../src/cache/record.ts';
import { SortedRecords } from '../../src/cache/sorted-records.ts';

const recordOf = (index: number) => ({ key: `/a/${(index * 7919) % 10_007}` }) as CacheRecord;
const keysOf = (records: SortedRecords) => [...records.tree.keys()];
const sorted = (records: SortedRecords) => [...records.byKey.keys()].sort();

it('has few and many records in the order of their keys, whenever the order is first needed', () => {
  for (const count of [0, 3, 8192, 8193, 9000]) {
    const records = new SortedRecords();
    records.reset(Array.from({ length: count / 2 }, (_, index) => recordOf(index)));
    for (let index = Math.floor(count / 2); index < count; index += 1) {
      const record = recordOf(index);
      records.set(record.key, record);
    }
    records.delete(recordOf(1).key);
    expect(keysOf(records)).toEqual(sorted(records));
    const added = recordOf(9999);
    records.set(added.key, added);
    records.delete(recordOf(2).key);
    expect(keysOf(records)).toEqual(sorted(records));
    records.reset([recordOf(5)]);
    expect(keysOf(records)).toEqual([recordOf(5).key]);
  }
});
