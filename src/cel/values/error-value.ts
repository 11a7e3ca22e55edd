/**
 * A failed evaluation as a value, so that `&&`, `||` and comprehensions can absorb it. It has no stack
 * because loops create many.
 */
export class ErrorValue {
  readonly kind = 'error';
  /** The text that clients see, without any prefix. */
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export const NO_SUCH_OVERLOAD = new ErrorValue('no such overload');
export const INTEGER_OVERFLOW = new ErrorValue('integer overflow');
export const UNSIGNED_OVERFLOW = new ErrorValue('unsigned integer overflow');
export const DIVISION_BY_ZERO = new ErrorValue('division by zero');
export const MODULUS_BY_ZERO = new ErrorValue('modulus by zero');
export const TIMESTAMP_OVERFLOW = new ErrorValue('timestamp overflow');
