import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDuplicateStrings, findDuplicates } from '../../../src/kinds/validation/duplicates.ts';

const key = fc.constantFrom('', 'a', 'b', 'c', '__proto__');

describe('findDuplicates', () => {
  it('finds each element whose key occurred before', () => {
    fc.assert(
      fc.property(fc.array(key), fc.array(key), (list, before) => {
        const expected = list.map((one, index) => [...before, ...list.slice(0, index)].includes(one));
        const found = findDuplicates(list, (one) => one, new Set(before));
        expect(list.map((_, index) => found.has(index))).toEqual(expected);
        expect(found.has(list.length)).toBe(false);
        const alone = findDuplicateStrings(list);
        expect(list.map((_, index) => alone.has(index))).toEqual(
          list.map((one, index) => list.indexOf(one) < index),
        );
      }),
    );
  });
});
