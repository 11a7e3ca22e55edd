import { NO_SUCH_OVERLOAD } from '../values/error-value.ts';
import { OptionalValue } from '../values/optional.ts';
import { isError } from '../values/value.ts';
import type { Evaluate } from './step.ts';

/**
 * Evaluates `or` and `orValue` (`unwrap`): the right side is evaluated only when the left is absent. They
 * have no cost of their own.
 */
export function evaluateOptionalFallback(left: Evaluate, right: Evaluate, unwrap: boolean): Evaluate {
  return (frame) => {
    const value = left(frame);
    if (!(value instanceof OptionalValue)) return isError(value) ? value : NO_SUCH_OVERLOAD;
    if (value.value === undefined) return right(frame);
    return unwrap ? value.value : value;
  };
}
