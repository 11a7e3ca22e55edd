import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryNumberPool } from '../../src/allocation/number-pool.ts';

const pool = (size: number, band = 0, random = 0) => new MemoryNumberPool(size, band, () => random);

describe('MemoryNumberPool', () => {
  it('allocates from the upper band until it is full', () => {
    const numbers = pool(5, 2, 0.5);
    expect(Array.from({ length: 6 }, () => numbers.allocateNext())).toEqual([3, 4, 2, 1, 0, undefined]);
  });

  it('rejects allocated and out-of-range numbers', () => {
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

  it('frees a conflicting number after both holders release it', () => {
    const numbers = pool(3);
    numbers.startRepair().finish([1, 1]);
    numbers.release(1);
    expect(numbers.reserve(1)).toBe(false);
    numbers.release(1);
    expect(numbers.reserve(1)).toBe(true);
  });

  it('never allocates a number twice', () => {
    const arbitraryOperation = fc.oneof(
      fc.record({ reserve: fc.integer({ min: -1, max: 20 }) }),
      fc.constant({ allocate: true }),
      fc.record({ release: fc.nat(30) }),
    );
    fc.assert(
      fc.property(
        fc.array(arbitraryOperation, { maxLength: 200 }),
        fc.nat(20),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (operations, band, random) => {
          const numbers = pool(20, band, random);
          const held: number[] = [];
          for (const operation of operations) {
            const allocated =
              'reserve' in operation
                ? numbers.reserve(operation.reserve)
                  ? operation.reserve
                  : undefined
                : 'allocate' in operation
                  ? numbers.allocateNext()
                  : undefined;
            if ('allocate' in operation && allocated === undefined) expect(held).toHaveLength(20);
            if (allocated !== undefined) {
              expect(held).not.toContain(allocated);
              held.push(allocated);
            }
            if ('release' in operation && held.length > 0)
              numbers.release(held.splice(operation.release % held.length, 1)[0]!);
          }
        },
      ),
    );
  });
});
