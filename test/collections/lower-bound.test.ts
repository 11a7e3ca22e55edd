import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lowerBound } from '../../src/collections/lower-bound.ts';

it('finds what a walk finds', () =>
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.integer({ min: -1, max: 21 }), (items, least) => {
      const sorted = items.sort((one, other) => one - other);
      const walked = sorted.filter((item) => item < least).length;
      expect(lowerBound(sorted, (item) => item < least)).toBe(walked);
    }),
  ));
