/**
 * A type of the expression language: immutable data, compared structurally with `sameType`, printed with
 * `typeName`.
 */
export type Type =
  | {
      readonly kind:
        | 'int'
        | 'uint'
        | 'double'
        | 'bool'
        | 'string'
        | 'bytes'
        | 'null'
        | 'timestamp'
        | 'duration'
        | 'dyn'
        | 'any'
        | 'error';
    }
  | { readonly kind: 'list'; readonly element: Type }
  | { readonly kind: 'map'; readonly key: Type; readonly value: Type }
  | { readonly kind: 'optional'; readonly value: Type }
  /** The type of types: `type(x)`. */
  | { readonly kind: 'type'; readonly of: Type }
  /** A type parameter of a declaration (`A`, `B`), or a type variable that the checker created from one. */
  | { readonly kind: 'parameter'; readonly name: string }
  /** A type without accessible fields, identified by its name: `kubernetes.URL`, `net.IP`. */
  | { readonly kind: 'opaque'; readonly name: string; readonly parameters: readonly Type[] }
  | ObjectType;

/** A type with fields, declared from a schema or by hand. Object types are compared by name. */
export interface ObjectType {
  readonly kind: 'object';
  readonly name: string;
  /**
   * The declared field by its (escaped) name in expressions; undefined when there is none. Looked up lazily,
   * so that recursive schemas cost nothing.
   */
  readonly field: (name: string) => FieldType | undefined;
}

/** A field of an object type. */
export interface FieldType {
  readonly type: Type;
}

export const INT: Type = { kind: 'int' };
export const UINT: Type = { kind: 'uint' };
export const DOUBLE: Type = { kind: 'double' };
export const BOOL: Type = { kind: 'bool' };
export const STRING: Type = { kind: 'string' };
export const BYTES: Type = { kind: 'bytes' };
export const NULL: Type = { kind: 'null' };
export const TIMESTAMP: Type = { kind: 'timestamp' };
export const DURATION: Type = { kind: 'duration' };
export const DYN: Type = { kind: 'dyn' };
export const ANY: Type = { kind: 'any' };
export const ERROR: Type = { kind: 'error' };

export const list = (element: Type): Type => ({ kind: 'list', element });
export const map = (key: Type, value: Type): Type => ({ kind: 'map', key, value });
export const optional = (value: Type): Type => ({ kind: 'optional', value });
export const typeOf = (of: Type): Type => ({ kind: 'type', of });
export const parameter = (name: string): Type => ({ kind: 'parameter', name });
export const opaque = (name: string, parameters: readonly Type[] = []): Type => ({
  kind: 'opaque',
  name,
  parameters,
});

/** The type arguments of a type: the element of a list, the key and value of a map, … */
export function typeParameters(type: Type): readonly Type[] {
  switch (type.kind) {
    case 'list':
      return [type.element];
    case 'map':
      return [type.key, type.value];
    case 'optional':
      return [type.value];
    case 'type':
      return [type.of];
    case 'opaque':
      return type.parameters;
    default:
      return [];
  }
}

/** Whether two types are structurally equal; object types, opaque types and parameters compare by name. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  if ('name' in a && 'name' in b && a.name !== b.name) return false;
  const inner = typeParameters(a);
  const other = typeParameters(b);
  return inner.length === other.length && inner.every((type, index) => sameType(type, other[index]!));
}

const withParameters = (name: string, parameters: readonly string[]): string =>
  parameters.length === 0 ? name : `${name}(${parameters.join(', ')})`;

/**
 * The type as compile errors print it: `int`, `null`, `duration`, `list(string)`, `optional_type(dyn)`,
 * `type(int)`.
 */
export function typeName(type: Type): string {
  switch (type.kind) {
    case 'error':
      return '!error!';
    case 'object':
    case 'parameter':
      return type.name;
    case 'opaque':
      return withParameters(type.name, type.parameters.map(typeName));
    case 'optional':
      return `optional_type(${typeName(type.value)})`;
    default:
      return withParameters(type.kind, typeParameters(type).map(typeName));
  }
}

const DECLARED_NAMES: Readonly<Partial<Record<Type['kind'], string>>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  any: 'google.protobuf.Any',
};

/**
 * The declared name of the type, as messages about results print it: `null_type`, `google.protobuf.Duration`.
 */
export function declaredTypeName(type: Type): string {
  const name = DECLARED_NAMES[type.kind];
  if (name !== undefined) return name;
  const inner = typeParameters(type).map(declaredTypeName);
  if (type.kind === 'object' || type.kind === 'parameter' || type.kind === 'opaque')
    return withParameters(type.name, inner);
  return withParameters(type.kind === 'optional' ? 'optional_type' : type.kind, inner);
}
