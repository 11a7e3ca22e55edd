import { ErrorValue } from '../error-value.ts';
import { isInherited } from '../field-selector.ts';
import { intOf } from '../integers.ts';
import { Double } from '../scalars.ts';
import type { Value } from '../value.ts';
import { formattedValue, hasFormat } from './formats.ts';
import { unescapePropertyName } from './property-names.ts';
import { SchemaList, SchemaMapList, SchemaSetList } from './schema-list.ts';
import { SchemaObject } from './schema-object.ts';
import type { ValueSchema } from './value-schema.ts';

/** The position of a declared property in the objects of a schema. */
export interface Field {
  /** The property's JSON name. */
  readonly property: string;
  /** Plain JavaScript objects inherit a property of this name (see `isInherited`). */
  readonly isInherited: boolean;
  readonly schema: TypedSchema;
  /** The index in an object's cache of converted values; undefined for scalars, which are not cached. */
  readonly cacheIndex: number | undefined;
}

const invalid = (what: string): ErrorValue => new ErrorValue(`invalid data, ${what}`);
const known = new WeakMap<ValueSchema, TypedSchema>();

/** A schema with precomputed properties. */
export class TypedSchema {
  /** Texts are values without conversion. */
  readonly isText: boolean;
  /** Safe integers are values without conversion. */
  readonly isInteger: boolean;
  /** Values are converted without allocating. */
  readonly isScalar: boolean;
  /** The schema declares properties; otherwise an object is a map. */
  readonly isObject: boolean;
  /** The number of fields with a cache index. */
  cacheSize = 0;
  private readonly schema: ValueSchema;
  private readonly fields = new Map<string, Field>();
  private elementSchema: TypedSchema | undefined;
  private memberSchema: TypedSchema | undefined;

  private constructor(schema: ValueSchema) {
    this.schema = schema;
    this.isText = schema.intOrString === true || (schema.type === 'string' && !hasFormat(schema.format));
    this.isInteger = schema.intOrString === true || schema.type === 'integer';
    this.isScalar = this.isText || this.isInteger || schema.type === 'boolean' || schema.type === 'number';
    this.isObject = schema.property !== undefined;
  }

  static of(schema: ValueSchema): TypedSchema {
    const found = known.get(schema);
    if (found !== undefined) return found;
    const created = new TypedSchema(schema);
    known.set(schema, created);
    return created;
  }

  /**
   * The field of a name in an expression. Only declared properties are cached: names can come from values.
   */
  field(name: string): Field | undefined {
    const found = this.fields.get(name);
    if (found !== undefined) return found;
    const property = unescapePropertyName(name);
    const declared = property === undefined ? undefined : this.schema.property?.(property);
    if (property === undefined || declared === undefined) return undefined;
    const schema = TypedSchema.of(declared);
    const created: Field = {
      property,
      isInherited: isInherited(property),
      schema,
      cacheIndex: schema.isScalar ? undefined : this.cacheSize++,
    };
    this.fields.set(name, created);
    return created;
  }

  /** Whether a property is declared, by JSON name. */
  declares(property: string): boolean {
    return this.schema.property?.(property) !== undefined;
  }

  /** The schema of a map's values. */
  get member(): TypedSchema | undefined {
    const { additionalProperties } = this.schema;
    if (additionalProperties !== undefined) this.memberSchema ??= TypedSchema.of(additionalProperties);
    return this.memberSchema;
  }

  /**
   * A JSON value typed by the schema. Members are converted on access, and a value that violates the schema
   * is an error only when accessed.
   */
  wrap(json: unknown): Value {
    if (typeof json === 'string' && this.isText) return json;
    if (typeof json === 'number' && this.isInteger && Number.isSafeInteger(json)) return json + 0;
    const { nullable, intOrString, type, format } = this.schema;
    if (json === null || json === undefined)
      return nullable === true ? null : invalid('got null for schema with nullable=false');
    if (intOrString === true)
      return integerOf(json) ?? invalid('expected XIntOrString value to be either a string or integer');
    switch (type) {
      case 'object':
        if (typeof json !== 'object' || Array.isArray(json))
          return invalid('expected a map for the provided schema with type=object');
        return new SchemaObject(json as Readonly<Record<string, unknown>>, this);
      case 'array':
        return Array.isArray(json)
          ? this.list(json)
          : invalid('expected an array for the provided schema with type=array');
      case 'string':
        return typeof json === 'string'
          ? formattedValue(json, format)
          : invalid(`expected string, got ${jsonTypeName(json)}`);
      case 'number':
        if (json instanceof Double) return json;
        return typeof json === 'number' || typeof json === 'bigint'
          ? new Double(Number(json))
          : invalid(`expected float, got ${jsonTypeName(json)}`);
      case 'integer':
        return integerOf(json) ?? invalid(`expected int, got ${jsonTypeName(json)}`);
      case 'boolean':
        return typeof json === 'boolean' ? json : invalid(`expected bool, got ${jsonTypeName(json)}`);
      default:
        return new ErrorValue(
          `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${type}`,
        );
    }
  }

  private list(elements: readonly unknown[]): Value {
    const { items, listType, listMapKeys } = this.schema;
    if (items === undefined)
      return new ErrorValue('invalid array type, expected Items with a non-empty Schema');
    this.elementSchema ??= TypedSchema.of(items);
    switch (listType ?? '') {
      case '':
      case 'atomic':
        return new SchemaList(elements, this.elementSchema);
      case 'set':
        return new SchemaSetList(elements, this.elementSchema);
      case 'map':
        return new SchemaMapList(elements, this.elementSchema, listMapKeys ?? []);
      default:
        return new ErrorValue(
          `invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got ${listType}`,
        );
    }
  }
}

/** A JSON value typed by its schema. It must not change while the value is in use. */
export function valueOfSchema(json: unknown, schema: ValueSchema): Value {
  return TypedSchema.of(schema).wrap(json);
}

function integerOf(json: unknown): number | bigint | undefined {
  if (typeof json === 'number') return Number.isSafeInteger(json) ? json + 0 : undefined;
  if (typeof json !== 'bigint') return undefined;
  const int = intOf(json);
  return typeof int === 'object' ? undefined : int;
}

/** The type of a JSON value as the reference names it. */
function jsonTypeName(json: unknown): string {
  if (json instanceof Double) return 'float64';
  switch (typeof json) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(json) ? 'int64' : 'float64';
    default:
      return Array.isArray(json) ? '[]interface {}' : 'map[string]interface {}';
  }
}
