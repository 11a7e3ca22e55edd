import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contains, RangeIndex } from '../../src/storage/range-index.ts';

const key = fc.string({ unit: fc.constantFrom('/', 'a', 'b', '0', 'ÿ'), maxLength: 4 });

test('finds exactly the ranges that contain a key, after any additions and removals', () => {
  const range = fc.record({ start: key, end: key });
  fc.assert(
    fc.property(
      fc.array(range, { maxLength: 30 }),
      fc.array(fc.nat(29)),
      fc.array(key, { minLength: 1 }),
      (ranges, removed, keys) => {
        const index = new RangeIndex<{ start: string; end: string }>();
        const present = new Set(ranges);
        for (const one of ranges) index.add(one);
        for (const position of removed) {
          const one = ranges[position];
          if (!one) continue;
          index.remove(one);
          present.delete(one);
        }
        expect(index.size).toBe(present.size);
        for (const one of keys) {
          const found = new Set<unknown>();
          index.forEachContaining(one, (each) => found.add(each));
          expect(found).toEqual(new Set([...present].filter((each) => contains(each, one))));
        }
      },
    ),
  );
});
