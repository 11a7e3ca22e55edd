import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  list,
  map,
  NULL,
  optional,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from '../../cel/index.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';

const SCALARS: ReadonlyMap<string, Type> = new Map([
  ['bool', BOOL],
  ['bytes', BYTES],
  ['double', DOUBLE],
  ['duration', DURATION],
  ['dyn', DYN],
  ['int', INT],
  ['null_type', NULL],
  ['string', STRING],
  ['timestamp', TIMESTAMP],
  ['uint', UINT],
  ['google.protobuf.Duration', DURATION],
  ['google.protobuf.Timestamp', TIMESTAMP],
]);

/**
 * A type by its name: `string`, `list(int)`, `map(string, dyn)`; a map with one parameter has strings for
 * keys.
 * @throws ConfigurationError for an unknown type
 */
export function declaredType(name: string): Type {
  const scalar = SCALARS.get(name.trim());
  if (scalar !== undefined) return scalar;
  const [, outer, inner] = /^\s*(list|map|optional_type)\((.*)\)\s*$/s.exec(name) ?? [];
  if (outer === 'list') return list(declaredType(inner!));
  if (outer === 'optional_type') return optional(declaredType(inner!));
  if (outer === undefined) throw new ConfigurationError(`unknown type ${JSON.stringify(name)}`);
  const comma = inner!.indexOf(',');
  return comma < 0
    ? map(STRING, declaredType(inner!))
    : map(declaredType(inner!.slice(0, comma)), declaredType(inner!.slice(comma + 1)));
}
