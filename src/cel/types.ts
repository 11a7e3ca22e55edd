/** A type of the expression language: immutable data, compared with `sameType` (structure), printed with `typeName`. */
export type Type =
  | { readonly kind: 'int' | 'uint' | 'double' | 'bool' | 'string' | 'bytes' | 'null' | 'timestamp' | 'duration' | 'dyn' | 'any' | 'error' }
  | { readonly kind: 'list'; readonly element: Type }
  | { readonly kind: 'map'; readonly key: Type; readonly value: Type }
  | { readonly kind: 'optional'; readonly value: Type }
  /** The type of types: `type(x)`. */
  | { readonly kind: 'type'; readonly of: Type }
  /** A parameter of a declaration (`A`, `B`), or a variable the checker made from one. */
  | { readonly kind: 'parameter'; readonly name: string }
  /** A type without fields known by its name: `kubernetes.URL`, `net.IP`. */
  | { readonly kind: 'opaque'; readonly name: string; readonly parameters: readonly Type[] }
  | ObjectType;

/** A type with fields, as declared from a schema or by hand. Two object types are the same when their names are. */
export interface ObjectType {
  readonly kind: 'object';
  readonly name: string;
  /** The declared field by the name an expression uses (escaped); undefined when there is none. Asked lazily, so that recursive schemas cost nothing. */
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
export const opaque = (name: string, parameters: readonly Type[] = []): Type => ({ kind: 'opaque', name, parameters });
