import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ErrorValue } from '../../../src/cel/values/error-value.ts';
import {
  addInts,
  divideInts,
  type Int,
  intOf,
  MAX_INT64,
  MIN_INT64,
  moduloInts,
  multiplyInts,
  negateInt,
  subtractInts,
  uintOf,
} from '../../../src/cel/values/integers.ts';

/** Integers of 64 bits, mostly near boundaries. */
const exact = fc.oneof(
  fc.bigInt({ min: MIN_INT64, max: MAX_INT64 }),
  fc.bigInt({ min: -20n, max: 20n }),
  fc
    .tuple(
      fc.constantFrom(0n, 2n ** 53n, -(2n ** 53n), MAX_INT64 - 5n, MIN_INT64 + 5n),
      fc.bigInt({ min: -5n, max: 5n }),
    )
    .map(([base, offset]) => base + offset),
);

/** The expected result of an operation: the exact result, or the overflow error. */
const held = (value: bigint): Int | ErrorValue => intOf(value);

describe('64-bit integer arithmetic', () => {
  test.each<[string, (left: Int, right: Int) => Int | ErrorValue, (left: bigint, right: bigint) => bigint]>([
    ['+', addInts, (left, right) => left + right],
    ['-', subtractInts, (left, right) => left - right],
    ['*', multiplyInts, (left, right) => left * right],
  ])('%s', (_name, operation, truth) => {
    fc.assert(
      fc.property(exact, exact, (left, right) => {
        expect(operation(held(left) as Int, held(right) as Int)).toEqual(held(truth(left, right)));
      }),
    );
  });

  test('divides and computes remainders exactly', () => {
    fc.assert(
      fc.property(
        exact,
        exact.filter((value) => value !== 0n),
        (left, right) => {
          expect(divideInts(held(left) as Int, held(right) as Int)).toEqual(held(left / right));
          if (left !== MIN_INT64 || right !== -1n)
            expect(moduloInts(held(left) as Int, held(right) as Int)).toEqual(held(left % right));
        },
      ),
    );
  });

  test('represents safe results as numbers, never -0', () => {
    fc.assert(
      fc.property(exact, exact, (left, right) => {
        for (const result of [
          multiplyInts(held(left) as Int, held(right) as Int),
          negateInt(held(left) as Int),
        ]) {
          if (result instanceof ErrorValue) continue;
          expect(Object.is(result, -0)).toBe(false);
          expect(typeof result === 'number').toBe(Number.isSafeInteger(Number(result)));
        }
      }),
    );
  });

  test('returns an error for overflows and division by zero', () => {
    expect(divideInts(1, 0)).toMatchObject({ message: 'division by zero' });
    expect(moduloInts(1, 0)).toMatchObject({ message: 'modulus by zero' });
    expect(divideInts(MIN_INT64, -1)).toMatchObject({ message: 'integer overflow' });
    expect(moduloInts(MIN_INT64, -1)).toMatchObject({ message: 'integer overflow' });
    expect(negateInt(MIN_INT64)).toMatchObject({ message: 'integer overflow' });
    expect(uintOf(-1n)).toMatchObject({ message: 'unsigned integer overflow' });
  });
});
