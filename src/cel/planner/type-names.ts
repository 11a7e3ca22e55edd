import type { Type } from '../types.ts';

const NAMES: Readonly<Record<string, string>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  optional: 'optional_type',
};

/** The result of `type(x)` for values of a type; undefined when the type does not determine it. */
export function runtimeNameOf(type: Type): string | undefined {
  switch (type.kind) {
    case 'type':
      return 'type';
    case 'opaque':
    case 'object':
      return type.name;
    case 'dyn':
    case 'any':
    case 'error':
    case 'parameter':
      return undefined;
    default:
      return NAMES[type.kind] ?? type.kind;
  }
}
