import { describe, expect, test } from 'vitest';
import { compare } from '../../../src/cel/values/compare.ts';
import { equal } from '../../../src/cel/values/equality.ts';
import { valueOfJson } from '../../../src/cel/values/json.ts';
import { ArrayList, ConcatenatedList, EMPTY_LIST, type ListValue } from '../../../src/cel/values/list.ts';
import { EntriesMap } from '../../../src/cel/values/map.ts';
import type { Meter } from '../../../src/cel/values/meter.ts';
import { Double, Uint } from '../../../src/cel/values/scalars.ts';

const unlimitedMeter: Meter = { work: () => undefined };

/** A meter that stops after some steps. */
function limitedMeter(most: number): Meter {
  let left = most;
  return {
    work(steps) {
      left -= steps;
      if (left < 0) throw new Error('too much work');
    },
  };
}

describe('equality', () => {
  test('compares numbers of different types by value', () => {
    expect(equal(1, new Uint(1n), unlimitedMeter)).toBe(true);
    expect(equal(1, new Double(1), unlimitedMeter)).toBe(true);
    expect(equal(2n ** 63n - 1n, new Uint(2n ** 63n - 1n), unlimitedMeter)).toBe(true);
    expect(equal(1, '1', unlimitedMeter)).toBe(false);
    expect(equal(true, 1, unlimitedMeter)).toBe(false);
  });

  test('NaN is not equal to itself, nor are lists that contain it', () => {
    const nan = new Double(Number.NaN);
    const list = new ArrayList([nan]);
    expect(equal(nan, nan, unlimitedMeter)).toBe(false);
    expect(equal(list, list, unlimitedMeter)).toBe(false);
    expect(compare(nan, new Double(1))).toBeNaN();
  });

  test('JSON is equal to itself in any order of members', () => {
    expect(
      equal(
        valueOfJson({ a: [1, { b: null }], c: 1.5 }),
        valueOfJson({ c: 1.5, a: [1, { b: null }] }),
        unlimitedMeter,
      ),
    ).toBe(true);
    expect(equal(valueOfJson({ a: null }), valueOfJson({ b: null }), unlimitedMeter)).toBe(false);
    expect(
      equal(
        valueOfJson(JSON.parse('{"__proto__": 1}')),
        valueOfJson(JSON.parse('{"__proto__": 2}')),
        unlimitedMeter,
      ),
    ).toBe(false);
  });

  test('stops comparing lists with shared parts at the work limit', () => {
    let list: ListValue = new ArrayList([1]);
    for (let depth = 0; depth < 60; depth++) list = new ArrayList([list, list]);
    expect(() => equal(list, list, limitedMeter(10_000))).toThrow('too much work');
  });
});

describe('maps', () => {
  test('finds a numeric key of another type, preferring its own type', () => {
    const map = EntriesMap.of([
      [1, 'int'],
      [new Double(1), 'double'],
      [new Uint(2n), 'uint'],
    ])!;
    expect(map.find(1)).toBe('int');
    expect(map.find(new Double(1))).toBe('double');
    expect(map.find(new Uint(1n))).toBe('int');
    expect(map.find(2)).toBe('uint');
    expect(map.find(new Double(2))).toBe('uint');
    expect(map.find(new Double(1.5))).toBeUndefined();
  });

  test('extends a map without changing the original', () => {
    const one = EntriesMap.of([['a', 1]])!;
    const two = one.with('b', 2)!;
    const other = one.with('b', 3)!;
    expect([one.size, one.find('b'), one.keys()]).toEqual([1, undefined, ['a']]);
    expect([two.find('b'), other.find('b'), two.with('c', 4)!.keys()]).toEqual([2, 3, ['a', 'b', 'c']]);
    expect(two.find('c')).toBeUndefined();
  });

  test('distinguishes texts from the substitutes of number keys', () => {
    const map = EntriesMap.of([[new Uint(1n), 'uint']])!;
    expect(map.find('\u0000u1')).toBeUndefined();
    expect(map.find('1')).toBeUndefined();
    expect(EntriesMap.of([['\u0000u1', 'text']])!.find('\u0000u1')).toBe('text');
  });
});

describe('concatenated lists', () => {
  test('doubles without copying', () => {
    let list: ListValue = new ArrayList([1, 2]);
    for (let times = 0; times < 40; times++) list = list.concatenate(list, unlimitedMeter);
    expect(list.size).toBe(2 ** 41);
    expect(list.get(2 ** 41 - 1)).toBe(2);
  });

  test('keeps the order of elements', () => {
    const list = new ConcatenatedList(
      new ArrayList([1, 2]),
      new ConcatenatedList(new ArrayList([3]), new ArrayList([4, 5])),
    );
    expect(Array.from({ length: list.size }, (_, index) => list.get(index))).toEqual([1, 2, 3, 4, 5]);
    expect(EMPTY_LIST.concatenate(list, unlimitedMeter)).toBe(list);
  });
});
