import { describe, expect, it } from 'vitest';
import { CacheRecord } from '../../src/cache/record.ts';
import { RecentObjects } from '../../src/resources/recent-objects.ts';

const recordOf = (revision: number, bytes = 10): CacheRecord =>
  new CacheRecord('/registry/a', revision, new Uint8Array(bytes), { header: () => ({ uid: '' }) } as never);

describe('recently decoded objects', () => {
  it('are decoded once per record', () => {
    const recent = new RecentObjects();
    let decoded = 0;
    const decode = () => ({ kind: String(++decoded) });
    const [first, second] = [recordOf(1), recordOf(2)];
    expect(recent.get(first, decode)).toBe(recent.get(first, decode));
    expect(recent.get(second, decode)).not.toBe(recent.get(first, decode));
    expect(decoded).toBe(2);
  });

  it('are shared by two records of the same change, but not of other bytes at its revision', () => {
    const recent = new RecentObjects();
    const decode = () => ({});
    expect(recent.get(recordOf(1), decode)).toBe(recent.get(recordOf(1), decode));
    expect(recent.get(recordOf(1, 11), decode)).not.toBe(recent.get(recordOf(1, 10), decode));
  });

  it('are bounded in number and in bytes', () => {
    const recent = new RecentObjects();
    let decoded = 0;
    const decode = () => ({ kind: String(++decoded) });
    const records = Array.from({ length: 129 }, (_, index) => recordOf(index));
    for (const record of records) recent.get(record, decode);
    recent.get(records[1]!, decode);
    expect(decoded).toBe(129);
    recent.get(records[0]!, decode);
    expect(decoded).toBe(130);
    for (const revision of [100, 101, 102]) recent.get(recordOf(revision, 2 ** 21), decode);
    recent.get(records[128]!, decode);
    expect(decoded).toBe(134);
    const huge = recordOf(200, 2 ** 23);
    expect(recent.get(huge, decode)).not.toBe(recent.get(huge, decode));
  });
});
