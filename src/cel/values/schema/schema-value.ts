import { ErrorValue } from '../error-value.ts';
import { intOf } from '../integers.ts';
import { Double } from '../scalars.ts';
import type { Value } from '../value.ts';
import { formattedValue } from './formats.ts';
import { SchemaList, SchemaMapList, SchemaSetList } from './schema-list.ts';
import { SchemaObject } from './schema-object.ts';
import type { ValueSchema } from './value-schema.ts';

const invalid = (what: string): ErrorValue => new ErrorValue(`invalid data, ${what}`);

/**
 * A JSON value as its schema types it. Nothing is read that isn't asked for: members are wrapped on access, and what doesn't fit the schema is an error only
 * where it is touched.
 */
export function valueOfSchema(json: unknown, schema: ValueSchema): Value {
  if (json === null || json === undefined) return schema.nullable === true ? null : invalid('got null for schema with nullable=false');
  if (schema.intOrString === true) {
    if (typeof json === 'string') return json;
    const int = integerOf(json);
    return int === undefined ? invalid('expected XIntOrString value to be either a string or integer') : int;
  }
  switch (schema.type) {
    case 'object':
      if (typeof json !== 'object' || Array.isArray(json)) return invalid('expected a map for the provided schema with type=object');
      return new SchemaObject(json as Readonly<Record<string, unknown>>, schema, valueOfSchema);
    case 'array':
      return listOf(json, schema);
    case 'string':
      return typeof json === 'string' ? formattedValue(json, schema.format) : invalid(`expected string, got ${jsonTypeName(json)}`);
    case 'number':
      return typeof json === 'number' || typeof json === 'bigint' ? new Double(Number(json)) : invalid(`expected float, got ${jsonTypeName(json)}`);
    case 'integer': {
      const int = integerOf(json);
      return int === undefined ? invalid(`expected int, got ${jsonTypeName(json)}`) : int;
    }
    case 'boolean':
      return typeof json === 'boolean' ? json : invalid(`expected bool, got ${jsonTypeName(json)}`);
    default:
      return new ErrorValue(
        `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type}`,
      );
  }
}

function listOf(json: unknown, schema: ValueSchema): Value {
  if (!Array.isArray(json)) return invalid('expected an array for the provided schema with type=array');
  if (schema.items === undefined) return new ErrorValue('invalid array type, expected Items with a non-empty Schema');
  switch (schema.listType ?? '') {
    case '':
    case 'atomic':
      return new SchemaList(json, schema.items, valueOfSchema);
    case 'set':
      return new SchemaSetList(json, schema.items, valueOfSchema);
    case 'map':
      return new SchemaMapList(json, schema.items, valueOfSchema, schema.listMapKeys ?? []);
    default:
      return new ErrorValue(`invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got ${schema.listType}`);
  }
}

function integerOf(json: unknown): number | bigint | undefined {
  if (typeof json === 'number') return Number.isSafeInteger(json) ? json + 0 : undefined;
  if (typeof json !== 'bigint') return undefined;
  const int = intOf(json);
  return typeof int === 'object' ? undefined : int;
}

/** The type of a JSON value in the reference's words. */
function jsonTypeName(json: unknown): string {
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
