import {
  DIVISION_BY_ZERO,
  type ErrorValue,
  INTEGER_OVERFLOW,
  MODULUS_BY_ZERO,
  UNSIGNED_OVERFLOW,
} from './error-value.ts';
import { Uint } from './scalars.ts';

/** An int at run time: a `number` if safe, otherwise a `bigint`. */
export type Int = number | bigint;

export const MIN_INT64 = -(2n ** 63n);
export const MAX_INT64 = 2n ** 63n - 1n;
export const MAX_UINT64 = 2n ** 64n - 1n;

/** The int of an exact number; `integer overflow` beyond 64 bits. */
export function intOf(value: bigint): Int | ErrorValue {
  if (value < MIN_INT64 || value > MAX_INT64) return INTEGER_OVERFLOW;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** The uint of an exact number; `unsigned integer overflow` beyond 64 bits. */
export function uintOf(value: bigint): Uint | ErrorValue {
  return value < 0n || value > MAX_UINT64 ? UNSIGNED_OVERFLOW : new Uint(value);
}

export function addInts(left: Int, right: Int): Int | ErrorValue {
  if (typeof left === 'number' && typeof right === 'number') {
    const sum = left + right;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return intOf(BigInt(left) + BigInt(right));
}

export function subtractInts(left: Int, right: Int): Int | ErrorValue {
  if (typeof left === 'number' && typeof right === 'number') {
    const difference = left - right;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return intOf(BigInt(left) - BigInt(right));
}

export function multiplyInts(left: Int, right: Int): Int | ErrorValue {
  if (typeof left === 'number' && typeof right === 'number') {
    // A safe product is exact; adding 0 turns -0 into 0.
    const product = left * right + 0;
    if (Number.isSafeInteger(product)) return product;
  }
  return intOf(BigInt(left) * BigInt(right));
}

/** The quotient, truncated toward zero. */
export function divideInts(left: Int, right: Int): Int | ErrorValue {
  if (typeof left === 'number' && typeof right === 'number') {
    if (right === 0) return DIVISION_BY_ZERO;
    return (left - (left % right)) / right + 0;
  }
  return intOf(BigInt(left) / BigInt(right));
}

/** The remainder, with the sign of the dividend. */
export function moduloInts(left: Int, right: Int): Int | ErrorValue {
  if (typeof left === 'number' && typeof right === 'number') {
    if (right === 0) return MODULUS_BY_ZERO;
    return (left % right) + 0;
  }
  if (BigInt(left) === MIN_INT64 && right === -1) return INTEGER_OVERFLOW;
  return intOf(BigInt(left) % BigInt(right));
}

export function negateInt(value: Int): Int | ErrorValue {
  return typeof value === 'number' ? 0 - value : intOf(-value);
}

export function divideUints(left: Uint, right: Uint): Uint | ErrorValue {
  return right.value === 0n ? DIVISION_BY_ZERO : new Uint(left.value / right.value);
}

export function moduloUints(left: Uint, right: Uint): Uint | ErrorValue {
  return right.value === 0n ? MODULUS_BY_ZERO : new Uint(left.value % right.value);
}
