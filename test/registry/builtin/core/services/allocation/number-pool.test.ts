import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryNumberPool } from '../../../../../../src/registry/builtin/core/services/allocation/number-pool.ts';

const pool = (size: number, band = 0, random = 0) => new MemoryNumberPool(size, band, () => random);

describe('a pool of numbers', () => {
  it('draws from the upper band until only the lower one is left', () => {
    const numbers = pool(5, 2, 0.5);
    expect(Array.from({ length: 6 }, () => numbers.allocateNext())).toEqual([3, 4, 2, 1, 0, undefined]);
  });

  it('refuses what is held or does not exist', () => {
    const numbers = pool(3);
    expect([numbers.reserve(1), numbers.reserve(1), numbers.reserve(-1), numbers.reserve(3)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    numbers.release(1);
    expect(numbers.reserve(1)).toBe(true);
  });

  it('frees a contested number only when both holders have gone', () => {
    const numbers = pool(3);
    numbers.markAllocated(1);
    numbers.markAllocated(1);
    numbers.release(1);
    expect(numbers.reserve(1)).toBe(false);
    numbers.release(1);
    expect(numbers.reserve(1)).toBe(true);
  });

  it('never gives one number to two holders', () => {
    const operation = fc.oneof(
      fc.record({ reserve: fc.integer({ min: -1, max: 20 }) }),
      fc.constant({ draw: true }),
      fc.record({ release: fc.nat(30) }),
    );
    fc.assert(
      fc.property(
        fc.array(operation, { maxLength: 200 }),
        fc.nat(20),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (operations, band, random) => {
          const numbers = pool(20, band, random);
          const held: number[] = [];
          for (const one of operations) {
            const taken =
              'reserve' in one
                ? numbers.reserve(one.reserve)
                  ? one.reserve
                  : undefined
                : 'draw' in one
                  ? numbers.allocateNext()
                  : undefined;
            if ('draw' in one && taken === undefined) expect(held).toHaveLength(20);
            if (taken !== undefined) {
              expect(held).not.toContain(taken);
              held.push(taken);
            }
            if ('release' in one && held.length > 0)
              numbers.release(held.splice(one.release % held.length, 1)[0]!);
          }
        },
      ),
    );
  });
});
