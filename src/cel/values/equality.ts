import type { Meter } from './meter.ts';
import type { Bytes } from './scalars.ts';
import type { Value } from './value.ts';

/**
 * Whether two values are equal. Numbers of different types compare by value; other values of different types
 * are never equal.
 */
export function equal(left: Value, right: Value, meter: Meter): boolean {
  if (typeof left === 'string' && typeof right === 'string') return equalTexts(left, right, meter);
  if (left === right)
    return (
      typeof left !== 'object' || left === null || !mayDifferFromItself(left) || deepEqual(left, right, meter)
    );
  if (typeof left !== 'object' || typeof right !== 'object') return equalNumbers(left, right) === true;
  if (left === null || right === null) return false;
  return deepEqual(left, right, meter);
}

/** Comparing long texts takes time that the costs of lists and maps do not cover. */
function equalTexts(left: string, right: string, meter: Meter): boolean {
  if (left.length !== right.length) return false;
  if (left.length > 256) meter.work(left.length >> 8);
  return left === right;
}

type Boxed = Exclude<Value, null | boolean | number | bigint | string>;

/**
 * NaN and errors (values that violate their schema) are not equal to themselves, so containers that hold them
 * are not either.
 */
function mayDifferFromItself({ kind }: Boxed): boolean {
  return kind === 'double' || kind === 'list' || kind === 'map' || kind === 'optional' || kind === 'error';
}

function deepEqual(left: Boxed, right: Value, meter: Meter): boolean {
  if (right === null || typeof right !== 'object') return false;
  meter.work(1);
  switch (left.kind) {
    case 'double':
    case 'uint':
      return equalNumbers(left, right) === true;
    case 'bytes':
      return right.kind === 'bytes' && compareBytes(left, right) === 0;
    case 'timestamp':
      return right.kind === 'timestamp' && left.seconds === right.seconds && left.nanos === right.nanos;
    case 'duration':
      return right.kind === 'duration' && left.nanos === right.nanos;
    case 'list':
      return right.kind === 'list' && left.equals(right, meter);
    case 'map':
      return right.kind === 'map' && left.equals(right, meter);
    case 'optional':
      if (right.kind !== 'optional' || left.value === undefined || right.value === undefined)
        return right.kind === 'optional' && left.value === right.value;
      return equal(left.value, right.value, meter);
    case 'type':
      return right.kind === 'type' && left.name === right.name;
    case 'opaque':
      return left.equals(right);
    case 'error':
      return false;
  }
}

/** The order of two byte strings. */
export function compareBytes(left: Bytes, right: Bytes): number {
  return Buffer.compare(left.data, right.data);
}

/** Equality of two numbers of any types; undefined when one is not a number. */
function equalNumbers(left: Value, right: Value): boolean | undefined {
  const order = compareNumbers(left, right);
  return order === undefined ? undefined : order === 0;
}

/** The order of two numbers of any types, NaN when one is NaN; undefined when one is not a number. */
export function compareNumbers(left: Value, right: Value): number | undefined {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a === undefined || b === undefined) return undefined;
  // If one side is a double, the integer is rounded to a double, like in the reference.
  if (isDouble(left) || isDouble(right)) return order(Number(a), Number(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

function order(left: number, right: number): number {
  if (Number.isNaN(left) || Number.isNaN(right)) return Number.NaN;
  return left < right ? -1 : left > right ? 1 : 0;
}

function isDouble(value: Value): boolean {
  return typeof value === 'object' && value !== null && value.kind === 'double';
}

function numberOf(value: Value): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  return value.kind === 'double' || value.kind === 'uint' ? value.value : undefined;
}
