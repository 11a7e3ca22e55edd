import type { SizeHints } from '../cost/nodes.ts';
import type { Range } from '../cost/size.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  type FieldType,
  INT,
  list,
  map,
  STRING,
  TIMESTAMP,
  type Type,
} from '../types.ts';
import { escapePropertyName, unescapePropertyName } from '../values/schema/property-names.ts';

/** The part of a structural schema that determines types. */
export interface TypeSchema {
  readonly type?: string;
  readonly format?: string;
  readonly intOrString?: boolean;
  /** An embedded object with its own apiVersion, kind and metadata. */
  readonly embeddedResource?: boolean;
  /** Properties by JSON name. */
  readonly properties?: ReadonlyMap<string, TypeSchema>;
  readonly required?: readonly string[];
  readonly hasDefault?: boolean;
  readonly additionalProperties?: TypeSchema;
  readonly items?: TypeSchema;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly maxLength?: number;
  readonly enum?: readonly unknown[];
}

/** The maximum size of a request in bytes. */
const MAX_REQUEST = 3_145_728;

/** The maximum size of the content between two quotes or brackets. */
const MAX_CONTENT = MAX_REQUEST - 2;

/** A type declared from a schema, with size bounds of its values. */
export interface SchemaDeclaration {
  readonly type: Type;
  /** The maximum number of code points, bytes, elements or entries; 0 for scalars. */
  readonly maxElements: number;
  /** The minimum size in JSON, in bytes. */
  readonly minSize: number;
  /** The declaration at the next path element: a field, `@items`, `@keys`, `@values`. */
  readonly step: (name: string) => SchemaDeclaration | undefined;
}

const nowhere = (): undefined => undefined;

const scalar = (type: Type, minSize: number, maxElements = 0): SchemaDeclaration => ({
  type,
  minSize,
  maxElements,
  step: nowhere,
});

const KEYS = scalar(STRING, 2);

/**
 * Declares the values of a schema. Undefined for values that expressions cannot access: unknown type, or
 * elements of one.
 */
export function declareSchema(
  schema: TypeSchema,
  name: string,
  isResource = schema.embeddedResource ?? false,
): SchemaDeclaration | undefined {
  if (schema.intOrString) return scalar(DYN, 1, MAX_CONTENT);
  switch (schema.type) {
    case 'array':
      return declareList(schema, name);
    case 'object':
      if (schema.additionalProperties !== undefined && !isResource)
        return declareMap(schema, schema.additionalProperties, name);
      return schema.properties === undefined && !isResource
        ? undefined
        : declareObject(isResource ? withIdentity(schema) : schema, name);
    case 'string':
      return declareString(schema);
    case 'boolean':
      return scalar(BOOL, 4);
    case 'number':
      return scalar(DOUBLE, 1);
    case 'integer':
      return scalar(INT, 1);
    default:
      return undefined;
  }
}

function declareList(schema: TypeSchema, name: string): SchemaDeclaration | undefined {
  const items = schema.items && declareSchema(schema.items, `${name}.@idx`);
  if (items === undefined) return undefined;
  const maxElements = schema.maxItems ?? Math.floor(MAX_CONTENT / (items.minSize + 1));
  return {
    type: list(items.type),
    minSize: 2,
    maxElements,
    step: (step) => (step === '@items' ? items : undefined),
  };
}

function declareMap(
  schema: TypeSchema,
  additionalProperties: TypeSchema,
  name: string,
): SchemaDeclaration | undefined {
  const values = declareSchema(additionalProperties, `${name}.@elem`);
  if (values === undefined) return undefined;
  // Each entry takes a comma, two quotes around the key and a colon after it; one key can be empty.
  const maxElements = schema.maxProperties ?? Math.floor(MAX_CONTENT / (values.minSize + 6));
  return {
    type: map(STRING, values.type),
    minSize: 2,
    maxElements,
    step: (step) => (step === '@values' ? values : step === '@keys' ? KEYS : undefined),
  };
}

function declareObject(schema: TypeSchema, name: string): SchemaDeclaration {
  const declared = new Map<string, SchemaDeclaration | undefined>();
  const property = (json: string): SchemaDeclaration | undefined => {
    if (!declared.has(json)) {
      const inner = schema.properties?.get(json);
      declared.set(json, inner && declareSchema(inner, `${name}.${escapePropertyName(json) ?? json}`));
    }
    return declared.get(json);
  };
  const step = (field: string): SchemaDeclaration | undefined => {
    const json = unescapePropertyName(field);
    return json === undefined ? undefined : property(json);
  };
  const field = (fieldName: string): FieldType | undefined => {
    const declaration = step(fieldName);
    return declaration && { type: declaration.type };
  };
  const required = new Set(schema.required ?? []);
  let minSize = 2;
  for (const json of required) {
    const inner = schema.properties?.get(json);
    const declaration = inner === undefined || inner.hasDefault ? undefined : property(json);
    if (declaration !== undefined) minSize += Buffer.byteLength(json) + declaration.minSize + 4;
  }
  return { type: { kind: 'object', name, field }, minSize, maxElements: 0, step };
}

/**
 * Adds the fields that every API object has and rules can use: apiVersion, kind and the names in metadata.
 */
function withIdentity(schema: TypeSchema): TypeSchema {
  const text: TypeSchema = { type: 'string' };
  const metadata: TypeSchema = {
    type: 'object',
    properties: new Map([
      ['name', text],
      ['generateName', text],
    ]),
  };
  return {
    ...schema,
    properties: new Map([
      ...(schema.properties ?? []),
      ['apiVersion', text],
      ['kind', text],
      ['metadata', metadata],
    ]),
  };
}

function declareString(schema: TypeSchema): SchemaDeclaration {
  switch (schema.format) {
    case 'byte':
      return scalar(BYTES, 2, schema.maxLength ?? MAX_CONTENT);
    case 'date':
      return scalar(TIMESTAMP, 12, 12);
    case 'date-time':
      return scalar(TIMESTAMP, 21, 32);
    case 'duration':
      return scalar(DURATION, 3, 32);
    default: {
      if (schema.maxLength !== undefined) return scalar(STRING, 2, schema.maxLength * 4);
      const values = (schema.enum ?? []).filter((value) => typeof value === 'string');
      return scalar(
        STRING,
        2,
        values.length > 0 ? Math.max(...values.map((value) => Buffer.byteLength(value))) : MAX_CONTENT,
      );
    }
  }
}

/** Size hints by path for expressions whose variables all have one declaration. */
export function sizeHintsOf(root: SchemaDeclaration): SizeHints {
  return (path): Range | undefined => {
    let current: SchemaDeclaration | undefined = root;
    for (const step of path.slice(1)) current = current?.step(step);
    return current && { min: 0n, max: BigInt(current.maxElements) };
  };
}

/** The maximum number of values of a declaration in one request, where no bound is declared. */
export const maxPerRequest = ({ minSize }: SchemaDeclaration): number =>
  Math.floor(MAX_REQUEST / (minSize + 1));
