import { compare } from '../values/compare.ts';
import { equal } from '../values/equality.ts';
import { ErrorValue, NO_SUCH_OVERLOAD } from '../values/error-value.ts';
import { sizeOf } from '../values/size.ts';
import { isError, kindOf, type Value } from '../values/value.ts';
import type { Frame } from './frame.ts';
import type { Evaluate } from './step.ts';

/** The cost per code point, byte or element traversed. */
const TRAVERSAL = 0.1;

/** Evaluates `==` and `!=`. */
export function evaluateEquality(left: Evaluate, right: Evaluate, negated: boolean): Evaluate {
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (typeof a === 'number' && typeof b === 'number') {
      if (++frame.cost > frame.maxCost) frame.stopAtLimit();
      return (a === b) !== negated;
    }
    const result = isError(a) ? a : isError(b) ? b : equal(a, b, frame) !== negated;
    frame.charge(smallerTraversal(a, b));
    return result;
  };
}

/** Texts of at most this many units cost 1 to traverse, unless empty. */
const SHORT_TEXT = 10;

/** The cost of comparing two values that can have sizes: of traversing the smaller one. */
function smallerTraversal(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') {
    const units = Math.min(a.length, b.length);
    // The number of code points is at most the number of units, and positive for a non-empty text.
    if (units <= SHORT_TEXT) return units === 0 ? 0 : 1;
  }
  return Math.ceil(Math.min(sizeOf(a), sizeOf(b)) * TRAVERSAL);
}

type Ordering = '_<_' | '_<=_' | '_>_' | '_>=_';

/** Whether an operator orders values. */
export function isOrdering(name: string): name is Ordering {
  return name === '_<_' || name === '_<=_' || name === '_>_' || name === '_>=_';
}

/**
 * Evaluates `<`, `<=`, `>` or `>=`. With `sized`, both are known to be texts or byte strings, whose sizes
 * determine the cost.
 */
export function evaluateOrdering(
  operator: Ordering,
  left: Evaluate,
  right: Evaluate,
  sized: boolean,
): Evaluate {
  const otherwise = (frame: Frame, a: Value, b: Value): Value => {
    const result = isError(a) ? a : isError(b) ? b : order(operator, a, b);
    frame.charge(sized ? smallerTraversal(a, b) : 1);
    return result;
  };
  return NUMBERS[operator](left, right, otherwise);
}

/** The fallback for values that are not both small ints. */
type Otherwise = (frame: Frame, a: Value, b: Value) => Value;

/**
 * The evaluation by operator, with a fast path for small ints; separate closures avoid a dispatch per
 * evaluation.
 */
const NUMBERS: Readonly<
  Record<Ordering, (left: Evaluate, right: Evaluate, otherwise: Otherwise) => Evaluate>
> = {
  '_<_': (left, right, otherwise) => (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (typeof a !== 'number' || typeof b !== 'number') return otherwise(frame, a, b);
    if (++frame.cost > frame.maxCost) frame.stopAtLimit();
    return a < b;
  },
  '_<=_': (left, right, otherwise) => (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (typeof a !== 'number' || typeof b !== 'number') return otherwise(frame, a, b);
    if (++frame.cost > frame.maxCost) frame.stopAtLimit();
    return a <= b;
  },
  '_>_': (left, right, otherwise) => (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (typeof a !== 'number' || typeof b !== 'number') return otherwise(frame, a, b);
    if (++frame.cost > frame.maxCost) frame.stopAtLimit();
    return a > b;
  },
  '_>=_': (left, right, otherwise) => (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (typeof a !== 'number' || typeof b !== 'number') return otherwise(frame, a, b);
    if (++frame.cost > frame.maxCost) frame.stopAtLimit();
    return a >= b;
  },
};

/** By operator: whether an order (negative, zero, positive; NaN for unordered) satisfies it. */
const DECISIONS: Readonly<Record<Ordering, (order: number) => boolean>> = {
  '_<_': (order) => order < 0,
  '_<=_': (order) => order <= 0,
  '_>_': (order) => order > 0,
  '_>=_': (order) => order >= 0,
};

const ORDERED = new Set(['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration']);

function order(operator: Ordering, a: Value, b: Value): Value {
  const result = compare(a, b);
  if (result === undefined)
    return ORDERED.has(kindOf(a)) ? NO_SUCH_OVERLOAD : new ErrorValue(`no such overload: ${operator}`);
  return Number.isNaN(result) ? new ErrorValue('NaN values cannot be ordered') : DECISIONS[operator](result);
}

/** `x in container`: elements of a list, keys of a map. */
export function contains(frame: Frame, element: Value, container: Value): Value {
  if (container === null || typeof container !== 'object') return NO_SUCH_OVERLOAD;
  if (container.kind === 'map') {
    const found = container.find(element);
    return isError(found) ? found : found !== undefined;
  }
  if (container.kind !== 'list') return NO_SUCH_OVERLOAD;
  frame.ensureAffordable(container.size);
  return container.contains(element, frame);
}
