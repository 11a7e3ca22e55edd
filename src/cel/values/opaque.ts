import type { Value } from './value.ts';

/** A value of a type without fields (URL, quantity, IP, …), accessible through functions only. */
export abstract class OpaqueValue {
  readonly kind = 'opaque';
  /** `kubernetes.URL`, `net.IP`, … */
  abstract readonly typeName: string;
  /** Equality with any other value. */
  abstract equals(other: Value): boolean;
}
