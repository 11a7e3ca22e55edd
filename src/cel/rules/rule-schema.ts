import type { TypeSchema } from '../declarations/schema-types.ts';
import type { ValueSchema } from '../values/schema/index.ts';

/** A rule of `x-kubernetes-validations`. */
export interface Rule {
  readonly rule?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** The part of a custom resource's structural schema that expressions use. */
export interface RuleSchema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, RuleSchema>>;
  readonly additionalProperties?: boolean | RuleSchema;
  readonly items?: RuleSchema | readonly RuleSchema[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-validations'?: readonly Rule[];
}

/** The schema of a list's elements, if one schema describes them all. */
export const elementOf = ({ items }: RuleSchema): RuleSchema | undefined =>
  Array.isArray(items) ? undefined : (items as RuleSchema | undefined);

/** The schema of a map's values. */
export const mapValueOf = ({ additionalProperties }: RuleSchema): RuleSchema | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined;

const typeSchemas = new WeakMap<RuleSchema, TypeSchema>();

/** The part of a schema that determines types. Objects without declarations are objects without members. */
export function typeSchemaOf(schema: RuleSchema): TypeSchema {
  const known = typeSchemas.get(schema);
  if (known !== undefined) return known;
  const element = elementOf(schema);
  const value = mapValueOf(schema);
  const result: TypeSchema = {
    type: schema.type,
    format: schema.format,
    intOrString: schema['x-kubernetes-int-or-string'],
    embeddedResource: schema['x-kubernetes-embedded-resource'],
    properties: new Map(
      Object.entries(schema.properties ?? {}).map(([name, property]) => [name, typeSchemaOf(property)]),
    ),
    required: schema.required,
    hasDefault: schema.default !== undefined,
    additionalProperties: value && typeSchemaOf(value),
    items: element && typeSchemaOf(element),
    maxItems: schema.maxItems,
    maxProperties: schema.maxProperties,
    maxLength: schema.maxLength,
    enum: schema.enum,
  };
  typeSchemas.set(schema, result);
  return result;
}

const META: RuleSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
};
const TEXT: RuleSchema = { type: 'string' };
const IDENTITY: ReadonlyMap<string, RuleSchema> = new Map([
  ['apiVersion', TEXT],
  ['kind', TEXT],
  ['metadata', META],
]);

const valueSchemas = [
  new WeakMap<RuleSchema, ValueSchema>(),
  new WeakMap<RuleSchema, ValueSchema>(),
] as const;

/**
 * The part of a schema that determines values.
 * @param isResource the object has apiVersion, kind and metadata
 */
export function valueSchemaOf(
  schema: RuleSchema,
  isResource = schema['x-kubernetes-embedded-resource'] === true,
): ValueSchema {
  const cache = valueSchemas[isResource ? 1 : 0];
  const known = cache.get(schema);
  if (known !== undefined) return known;
  const { properties = {} } = schema;
  const element = elementOf(schema);
  const value = isResource ? undefined : mapValueOf(schema);
  const property = (name: string): ValueSchema | undefined => {
    const identity = isResource ? IDENTITY.get(name) : undefined;
    if (identity !== undefined) return valueSchemaOf(identity);
    return Object.hasOwn(properties, name) ? valueSchemaOf(properties[name]!) : undefined;
  };
  const result: ValueSchema = {
    type: (schema.type ?? '') as ValueSchema['type'],
    format: schema.format,
    nullable: schema.nullable,
    intOrString: schema['x-kubernetes-int-or-string'],
    property: schema.type === 'object' && value === undefined ? property : undefined,
    additionalProperties: value && valueSchemaOf(value),
    items: element && valueSchemaOf(element),
    listType: schema['x-kubernetes-list-type'],
    listMapKeys: schema['x-kubernetes-list-map-keys'],
  };
  cache.set(schema, result);
  return result;
}
