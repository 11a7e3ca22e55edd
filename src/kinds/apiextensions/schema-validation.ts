import type { JSONSchemaProps } from '../../model/generated/apiextensions-v1.ts';
import { type FieldError, forbidden, invalid, required } from '../../status/field-error.ts';
import { checkEach, spend } from '../../steps/replay.ts';
import { validateOneOf } from '../validation/fields.ts';
import { validateListExtensions } from './list-extensions-validation.ts';
import { validateRules } from './rules-validation.ts';
import { checkProperties, elementOf, JUNCTORS, mapValueOf } from './schema-walk.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const METADATA_MEMBERS = ['metadata', 'apiVersion', 'kind'];

/** Cost of validating one schema, in microseconds. */
const COST = 4;

/** Location in the schema. */
interface Place {
  readonly isRoot: boolean;
  /** Why defaults are not allowed here, as the end of a sentence. */
  readonly noDefaults?: string;
  readonly inMetadata?: boolean;
}

type NamedSchemas = JSONSchemaProps['definitions'] | JSONSchemaProps['dependencies'];

/** Rejects unsupported keywords and misplaced extensions. */
export function validateSchema(
  schema: JSONSchemaProps,
  field: string,
  place: Place = { isRoot: true },
): FieldError[] {
  spend(COST);
  const inner: Place = { ...place, isRoot: false };
  const at = (child: JSONSchemaProps | undefined, path: string, where = inner): FieldError[] =>
    child === undefined ? [] : validateSchema(child, `${field}.${path}`, where);
  const atNamed = (schemas: NamedSchemas = {}, path: string): FieldError[] =>
    checkProperties({ properties: schemas as JSONSchemaProps['properties'] }, path, (child, name) =>
      Array.isArray(child) || child === null ? [] : at(child, `${path}[${name}]`),
    );
  const {
    additionalProperties,
    'x-kubernetes-preserve-unknown-fields': preserve,
    'x-kubernetes-map-type': mapType,
  } = schema;
  return [
    ...validateKeywords(schema, field, place),
    ...(schema.uniqueItems
      ? [
          forbidden(
            `${field}.uniqueItems`,
            'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
          ),
        ]
      : []),
    ...(additionalProperties !== undefined &&
    additionalProperties !== true &&
    Object.keys(schema.properties ?? {}).length > 0
      ? [
          forbidden(
            `${field}.additionalProperties`,
            'additionalProperties and properties are mutual exclusive',
          ),
        ]
      : []),
    ...at(mapValueOf(schema), 'additionalProperties', placeOfMapValues(inner)),
    ...checkProperties(schema, 'keywords', (property, name) =>
      at(property, `properties[${name}]`, placeOfProperty(schema, name, place)),
    ),
    ...at(schema.not, 'not'),
    ...JUNCTORS.flatMap((junctor) =>
      checkEach(schema[junctor] ?? [], { place: 'keywords', cost: 0 }, (child, index) =>
        at(child, `${junctor}[${index}]`),
      ),
    ),
    ...atNamed(schema.definitions, 'definitions'),
    ...at(elementOf(schema), 'items'),
    ...(Array.isArray(schema.items)
      ? checkEach(schema.items, { place: 'keywords', cost: 0 }, (child, index) =>
          at(child, `items[${index}]`),
        )
      : []),
    ...atNamed(schema.dependencies, 'dependencies'),
    ...(preserve === false
      ? [invalid(`${field}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined')]
      : []),
    ...(mapType === undefined ? [] : validateMapType(mapType, schema.type, field)),
    ...validateListExtensions(schema, field),
    ...validateRules(schema, field),
  ];
}

/** Defaults of map values in metadata would depend on the keys. */
const placeOfMapValues = (inner: Place): Place =>
  inner.inMetadata
    ? { ...inner, noDefaults: 'inside additionalProperties applying to object metadata' }
    : inner;

function placeOfProperty(
  { 'x-kubernetes-embedded-resource': embedded }: JSONSchemaProps,
  name: string,
  place: Place,
): Place {
  if (!(place.isRoot || embedded) || !METADATA_MEMBERS.includes(name)) return { ...place, isRoot: false };
  return {
    isRoot: false,
    inMetadata: true,
    noDefaults: place.isRoot ? `in top-level ${name}` : place.noDefaults,
  };
}

function validateKeywords(
  schema: JSONSchemaProps,
  field: string,
  { noDefaults, inMetadata }: Place,
): FieldError[] {
  const { type } = schema;
  return [
    ...(type ? validateOneOf(type, TYPES, `${field}.type`) : []),
    ...(schema.default !== undefined && noDefaults !== undefined
      ? [forbidden(`${field}.default`, `must not be set ${noDefaults}`)]
      : []),
    ...UNSUPPORTED.flatMap(([keyword, isUsed, text]) =>
      isUsed(schema) ? [forbidden(`${field}.${keyword}`, text ?? `${keyword} is not supported`)] : [],
    ),
    ...(inMetadata && schema['x-kubernetes-embedded-resource']
      ? [forbidden(`${field}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta')]
      : []),
  ];
}

const isNotEmpty = (map: object | undefined): boolean => map !== undefined && Object.keys(map).length > 0;

/** Keywords that structural schemas do not support, with their error messages. */
const UNSUPPORTED: readonly (readonly [
  keyword: keyof JSONSchemaProps,
  isUsed: (schema: JSONSchemaProps) => boolean,
  text?: string,
])[] = [
  ['id', ({ id }) => Boolean(id)],
  ['additionalItems', ({ additionalItems }) => additionalItems !== undefined],
  ['patternProperties', ({ patternProperties }) => isNotEmpty(patternProperties)],
  ['definitions', ({ definitions }) => isNotEmpty(definitions)],
  ['dependencies', ({ dependencies }) => dependencies !== undefined],
  ['$ref', ({ $ref }) => $ref !== undefined],
  ['type', ({ type }) => type === 'null', 'type cannot be set to null, use nullable as an alternative'],
  ['items', ({ items }) => Array.isArray(items), 'items must be a schema object and not an array'],
];

/**
 * Returns whether a schema has no structural form. An empty `$ref`, the type null and dependencies of nothing
 * are refused, but do not prevent the other checks.
 */
export const isUnsupported = (schema: JSONSchemaProps): boolean =>
  Boolean(schema.id || schema.$ref) ||
  schema.additionalItems !== undefined ||
  isNotEmpty(schema.patternProperties) ||
  isNotEmpty(schema.definitions) ||
  isNotEmpty(schema.dependencies) ||
  Array.isArray(schema.items) ||
  schema['x-kubernetes-preserve-unknown-fields'] === false;

function validateMapType(mapType: string, type: string | undefined, field: string): FieldError[] {
  const text = 'must be object if x-kubernetes-map-type is specified';
  return [
    ...(type === 'object'
      ? []
      : [type ? invalid(`${field}.type`, type, text) : required(`${field}.type`, text)]),
    ...validateOneOf(mapType, ['atomic', 'granular'], `${field}.x-kubernetes-map-type`),
  ];
}
