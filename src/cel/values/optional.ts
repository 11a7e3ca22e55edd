import type { Value } from './value.ts';

/** A value that can be absent. */
export class OptionalValue {
  readonly kind = 'optional';
  /** Undefined when absent. */
  readonly value: Value | undefined;

  private constructor(value: Value | undefined) {
    this.value = value;
  }

  static readonly none = new OptionalValue(undefined);

  static of(value: Value): OptionalValue {
    return new OptionalValue(value);
  }
}
