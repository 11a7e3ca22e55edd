import type { ErrorValue } from './error-value.ts';
import type { ListValue } from './list.ts';
import type { MapValue } from './map.ts';
import type { OpaqueValue } from './opaque.ts';
import type { OptionalValue } from './optional.ts';
import type { Bytes, Double, Uint } from './scalars.ts';
import type { Duration, Timestamp } from './time.ts';
import type { TypeValue } from './type-value.ts';

/**
 * A value of the expression language. An int is a `number` when it is a safe integer and a `bigint` otherwise
 * (never a `bigint` for a safe one), so that the common case is fast and the rest exact; doubles are rarer
 * and boxed. Values are immutable.
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Double
  | Uint
  | Bytes
  | Timestamp
  | Duration
  | ListValue
  | MapValue
  | OptionalValue
  | TypeValue
  | OpaqueValue
  | ErrorValue;

/** The kind of a value, for overload resolution; for opaque values the type name. */
export function kindOf(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
    case 'bigint':
      return 'int';
    default:
      return value === null ? 'null' : value.kind === 'opaque' ? value.typeName : value.kind;
  }
}

const NAMES: Readonly<Record<string, string>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  optional: 'optional_type',
};

/** The name of a value's run-time type: `int`, `list`, `google.protobuf.Timestamp`, `net.IP`. */
export function runtimeTypeName(value: Value): string {
  const kind = kindOf(value);
  return Object.hasOwn(NAMES, kind) ? NAMES[kind]! : kind;
}

/** Whether a value is a failed evaluation. */
export function isError(value: Value | undefined): value is ErrorValue {
  return typeof value === 'object' && value !== null && value.kind === 'error';
}
