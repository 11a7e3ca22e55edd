import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IndexSet } from '../../../src/workloads/jobs/intervals.ts';

const indexes = fc.uniqueArray(fc.nat(30), { maxLength: 20 });
const listed = (set: IndexSet): number[] => {
  const found: number[] = [];
  for (let index = 0; index < 100; index += 1) if (set.has(index)) found.push(index);
  return found;
};
const sorted = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b);

describe('a set of indexes', () => {
  it('has the numbers that were put in, in its text too', () => {
    fc.assert(
      fc.property(indexes, (numbers) => {
        const set = IndexSet.of(numbers);
        expect(listed(set)).toEqual(sorted(numbers));
        expect(set.size).toBe(numbers.length);
        expect(listed(IndexSet.parse(set.toString(), 100))).toEqual(sorted(numbers));
      }),
    );
  });

  it('is joined, compared and completed as plain lists are', () => {
    fc.assert(
      fc.property(indexes, indexes, fc.nat(10), fc.nat(40), (mine, theirs, count, end) => {
        const [one, two] = [IndexSet.of(mine), IndexSet.of(theirs)];
        expect(listed(one.union(two))).toEqual(sorted([...mine, ...theirs]));
        expect(one.common(two)).toBe(mine.filter((index) => theirs.includes(index)).length);
        const absent = Array.from({ length: end }, (_, index) => index).filter((i) => !mine.includes(i));
        expect(one.missing(count, end)).toEqual(absent.slice(0, count));
      }),
    );
  });

  it.each([
    [[0], '0'],
    [[0, 1], '0,1'],
    [[0, 1, 2, 5], '0-2,5'],
    [[3, 4, 5, 7, 8], '3-5,7,8'],
    [[], ''],
  ])('writes %j as the status of Jobs does', (numbers, text) => {
    expect(IndexSet.of(numbers).toString()).toBe(text);
  });

  it('leaves out what is no index of the Job', () => {
    expect(IndexSet.parse('0-2,x,4-,-1,7-99,3', 9).toString()).toBe('0-3,7,8');
  });
});
