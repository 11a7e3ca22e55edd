import { compareBytes, compareNumbers } from './equality.ts';
import { compareText } from './text.ts';
import type { Value } from './value.ts';

/**
 * The order of two values: negative, zero, positive, or NaN for NaN; undefined when their types are not
 * comparable.
 */
export function compare(left: Value, right: Value): number | undefined {
  if (typeof left === 'string') return typeof right === 'string' ? compareText(left, right) : undefined;
  if (typeof left === 'boolean') return typeof right === 'boolean' ? Number(left) - Number(right) : undefined;
  const numbers = compareNumbers(left, right);
  if (numbers !== undefined) return numbers;
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object')
    return undefined;
  if (left.kind === 'bytes' && right.kind === 'bytes') return compareBytes(left, right);
  if (left.kind === 'timestamp' && right.kind === 'timestamp')
    return left.seconds - right.seconds || left.nanos - right.nanos;
  if (left.kind === 'duration' && right.kind === 'duration')
    return left.nanos < right.nanos ? -1 : left.nanos > right.nanos ? 1 : 0;
  return undefined;
}
