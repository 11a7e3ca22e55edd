import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  list,
  map,
  type ObjectType,
  STRING,
  TIMESTAMP,
  type Type,
} from '../../../src/cel/types.ts';
import { unescapePropertyName, type ValueSchema } from '../../../src/cel/values/schema/index.ts';

/** A schema as in a CustomResourceDefinition. */
export interface JsonSchema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema;
  readonly items?: JsonSchema;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-validations'?: readonly {
    readonly rule: string;
    readonly messageExpression?: string;
    readonly optionalOldSelf?: boolean;
  }[];
}

const STRING_FORMATS: Readonly<Record<string, Type>> = {
  byte: BYTES,
  date: TIMESTAMP,
  'date-time': TIMESTAMP,
  duration: DURATION,
};
const META: JsonSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
};
const RESOURCE: Readonly<Record<string, JsonSchema>> = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: META,
};

function propertiesOf(schema: JsonSchema, root: boolean): Readonly<Record<string, JsonSchema>> {
  return root || schema['x-kubernetes-embedded-resource'] === true
    ? { ...RESOURCE, ...schema.properties, metadata: META }
    : (schema.properties ?? {});
}

/** The type of the schema in rules. */
export function typeOfSchema(schema: JsonSchema, root = false, name = 'selfType'): Type {
  if (schema['x-kubernetes-int-or-string'] === true) return DYN;
  switch (schema.type) {
    case 'array':
      return list(typeOfSchema(schema.items!, false, `${name}.@idx`));
    case 'object': {
      if (schema.additionalProperties !== undefined)
        return map(STRING, typeOfSchema(schema.additionalProperties, false, `${name}.@elem`));
      const properties = propertiesOf(schema, root);
      const field: ObjectType['field'] = (escaped) => {
        const property = unescapePropertyName(escaped) ?? '';
        if (!Object.hasOwn(properties, property)) return undefined;
        return { type: typeOfSchema(properties[property]!, false, `${name}.${escaped}`) };
      };
      return { kind: 'object', name, field };
    }
    case 'string':
      return STRING_FORMATS[schema.format ?? ''] ?? STRING;
    case 'boolean':
      return BOOL;
    case 'number':
      return DOUBLE;
    default:
      return INT;
  }
}

/** The value schema of the schema. */
export function valueSchemaOf(schema: JsonSchema, root = false): ValueSchema {
  const properties = propertiesOf(schema, root);
  const declared = schema.type === 'object' && schema.additionalProperties === undefined;
  return {
    type: (schema.type ?? '') as ValueSchema['type'],
    format: schema.format,
    nullable: schema.nullable,
    intOrString: schema['x-kubernetes-int-or-string'],
    property: declared
      ? (name) => (Object.hasOwn(properties, name) ? valueSchemaOf(properties[name]!) : undefined)
      : undefined,
    additionalProperties:
      schema.additionalProperties === undefined ? undefined : valueSchemaOf(schema.additionalProperties),
    items: schema.items === undefined ? undefined : valueSchemaOf(schema.items),
    listType: schema['x-kubernetes-list-type'],
    listMapKeys: schema['x-kubernetes-list-map-keys'],
  };
}
