import { NO_SUCH_OVERLOAD } from '../values/error-value.ts';
import { isError, type Value } from '../values/value.ts';
import type { Evaluate } from './step.ts';

/**
 * Evaluates `&&`: false when either side is false, whatever the other is; otherwise the first error. It has
 * no cost of its own.
 */
export function evaluateAnd(left: Evaluate, right: Evaluate): Evaluate {
  return (frame) => {
    const a = left(frame);
    if (a === false) return false;
    const b = right(frame);
    if (b === false) return false;
    return a === true && b === true ? true : firstFailure(a, b);
  };
}

/**
 * Evaluates `||`: true when either side is true, whatever the other is; otherwise the first error. It has no
 * cost of its own.
 */
export function evaluateOr(left: Evaluate, right: Evaluate): Evaluate {
  return (frame) => {
    const a = left(frame);
    if (a === true) return true;
    const b = right(frame);
    if (b === true) return true;
    return a === false && b === false ? false : firstFailure(a, b);
  };
}

/** The error of two operands that do not decide: that of the first operand that is not a boolean. */
export function firstFailure(a: Value, b: Value): Value {
  const failed = typeof a === 'boolean' ? b : a;
  return isError(failed) ? failed : NO_SUCH_OVERLOAD;
}

/**
 * Evaluates `@not_strictly_false`: an error counts as true, so that `all` and `exists` continue to look for a
 * deciding element.
 */
export function evaluateNotStrictlyFalse(operand: Evaluate): Evaluate {
  return (frame) => {
    const value = operand(frame);
    frame.charge(1);
    return value !== false;
  };
}
