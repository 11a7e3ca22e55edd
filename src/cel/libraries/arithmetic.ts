import type { Frame } from '../planner/frame.ts';
import { Halt } from '../planner/halt.ts';
import { DIVISION_BY_ZERO, ErrorValue, MODULUS_BY_ZERO, NO_SUCH_OVERLOAD } from '../values/error-value.ts';
import {
  addInts,
  divideInts,
  divideUints,
  moduloInts,
  moduloUints,
  multiplyInts,
  negateInt,
  subtractInts,
  uintOf,
} from '../values/integers.ts';
import { Bytes, Double, Uint } from '../values/scalars.ts';
import { durationOf, timestampAfter } from '../values/time.ts';
import type { Value } from '../values/value.ts';
import { MAX_TEXT_UNITS } from './limits.ts';

/** Whether both values are ints, the usual case in arithmetic. */
const isInt = (value: Value): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

/** `left + right`: numbers and times are added; texts, byte strings and lists are concatenated. */
export function add(frame: Frame, left: Value, right: Value): Value {
  if (isInt(left)) return isInt(right) ? addInts(left, right) : NO_SUCH_OVERLOAD;
  if (typeof left === 'string') return typeof right === 'string' ? join(left, right) : NO_SUCH_OVERLOAD;
  if (left === null || typeof left !== 'object') return noOverload('_+_');
  if (right === null || typeof right !== 'object')
    return hasArithmetic(left) || left.kind === 'list' || left.kind === 'bytes'
      ? NO_SUCH_OVERLOAD
      : noOverload('_+_');
  switch (left.kind) {
    case 'double':
      return right.kind === 'double' ? new Double(left.value + right.value) : NO_SUCH_OVERLOAD;
    case 'uint':
      return right.kind === 'uint' ? uintOf(left.value + right.value) : NO_SUCH_OVERLOAD;
    case 'bytes':
      if (right.kind !== 'bytes') return NO_SUCH_OVERLOAD;
      frame.ensureAffordable((left.data.length + right.data.length) / 10);
      return new Bytes(Buffer.concat([left.data, right.data]));
    case 'list':
      return right.kind === 'list' ? left.concatenate(right, frame) : NO_SUCH_OVERLOAD;
    case 'duration':
      if (right.kind === 'timestamp') return timestampAfter(right, left.nanos);
      return right.kind === 'duration' ? durationOf(left.nanos + right.nanos) : NO_SUCH_OVERLOAD;
    case 'timestamp':
      return right.kind === 'duration' ? timestampAfter(left, right.nanos) : NO_SUCH_OVERLOAD;
    default:
      return noOverload('_+_');
  }
}

function join(left: string, right: string): string {
  if (left.length + right.length > MAX_TEXT_UNITS) throw new Halt('limit');
  return left + right;
}

/** `left - right` of numbers and times. */
export function subtract(left: Value, right: Value): Value {
  if (isInt(left)) return isInt(right) ? subtractInts(left, right) : NO_SUCH_OVERLOAD;
  if (left instanceof Double)
    return right instanceof Double ? new Double(left.value - right.value) : NO_SUCH_OVERLOAD;
  if (left instanceof Uint)
    return right instanceof Uint ? uintOf(left.value - right.value) : NO_SUCH_OVERLOAD;
  if (left === null || typeof left !== 'object' || (left.kind !== 'duration' && left.kind !== 'timestamp'))
    return noOverload('_-_');
  if (right === null || typeof right !== 'object') return NO_SUCH_OVERLOAD;
  if (left.kind === 'duration')
    return right.kind === 'duration' ? durationOf(left.nanos - right.nanos) : NO_SUCH_OVERLOAD;
  if (right.kind === 'duration') return timestampAfter(left, -right.nanos);
  return right.kind === 'timestamp' ? durationOf(left.total - right.total) : NO_SUCH_OVERLOAD;
}

/** `left * right` of numbers of one type. */
export function multiply(left: Value, right: Value): Value {
  if (isInt(left)) return isInt(right) ? multiplyInts(left, right) : NO_SUCH_OVERLOAD;
  if (left instanceof Double)
    return right instanceof Double ? new Double(left.value * right.value) : NO_SUCH_OVERLOAD;
  if (left instanceof Uint)
    return right instanceof Uint ? uintOf(left.value * right.value) : NO_SUCH_OVERLOAD;
  return noOverload('_*_');
}

/** `left / right` of numbers of one type. */
export function divide(left: Value, right: Value): Value {
  if (isInt(left)) {
    if (!isInt(right)) return NO_SUCH_OVERLOAD;
    return right === 0 ? DIVISION_BY_ZERO : divideInts(left, right);
  }
  if (left instanceof Double)
    return right instanceof Double ? new Double(left.value / right.value) : NO_SUCH_OVERLOAD;
  if (left instanceof Uint) return right instanceof Uint ? divideUints(left, right) : NO_SUCH_OVERLOAD;
  return noOverload('_/_');
}

/** `left % right` of integers of one type. */
export function modulo(left: Value, right: Value): Value {
  if (isInt(left)) {
    if (!isInt(right)) return NO_SUCH_OVERLOAD;
    return right === 0 ? MODULUS_BY_ZERO : moduloInts(left, right);
  }
  if (left instanceof Uint) return right instanceof Uint ? moduloUints(left, right) : NO_SUCH_OVERLOAD;
  return noOverload('_%_');
}

/** `-value` of an int, double or duration. */
export function negate(value: Value): Value {
  if (isInt(value)) return negateInt(value);
  if (value instanceof Double) return new Double(-value.value);
  if (value !== null && typeof value === 'object' && value.kind === 'duration')
    return durationOf(-value.nanos);
  return typeof value === 'boolean' ? NO_SUCH_OVERLOAD : noOverload('-_');
}

function hasArithmetic({ kind }: { readonly kind: string }): boolean {
  return kind === 'double' || kind === 'uint' || kind === 'duration' || kind === 'timestamp';
}

function noOverload(operator: string): ErrorValue {
  return new ErrorValue(`no such overload: ${operator}`);
}
