import type { JSONSchemaProps } from '../../model/generated/apiextensions-v1.ts';
import { type FieldError, forbidden, formatFieldError, invalid, required } from '../../status/field-error.ts';
import { checkEach, spend } from '../../steps/replay.ts';
import { validateCompleteness } from './completeness-validation.ts';
import { patternError } from './pattern-error.ts';
import { checkProperties, elementOf, JUNCTORS, mapValueOf } from './schema-walk.ts';

/** Cost of validating one schema, in microseconds. */
const COST = 4;

type Level = 'root' | 'items' | 'field';

const MISSING_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  items: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/**
 * Validates that a schema is structural: every value has one type, specified outside all junctors. Errors are
 * sorted by message.
 */
export function validateStructural(schema: JSONSchemaProps, field: string): FieldError[] {
  const errors = [
    ...validateInvariants(schema, 'root', field),
    ...validateCompleteness(schema, schema, field, field),
  ].map((error) => ({ error, text: formatFieldError(error) }));
  return errors.sort((a, b) => (a.text < b.text ? -1 : 1)).map(({ error }) => error);
}

function validateInvariants(schema: JSONSchemaProps, level: Level, field: string): FieldError[] {
  spend(COST);
  const {
    type = '',
    pattern,
    'x-kubernetes-int-or-string': intOrString,
    'x-kubernetes-embedded-resource': embedded,
  } = schema;
  const element = elementOf(schema);
  const value = mapValueOf(schema);
  return [
    ...(type === 'array' && element === undefined ? [required(`${field}.items`, 'must be specified')] : []),
    ...(element === undefined ? [] : validateInvariants(element, 'items', `${field}.items`)),
    ...checkProperties(schema, 'invariants', (property, name) =>
      validateInvariants(property, 'field', `${field}.properties[${name}]`),
    ),
    ...(value === undefined ? [] : validateInvariants(value, 'field', `${field}.additionalProperties`)),
    ...validateType(schema, level, field),
    ...(level === 'root' && schema.additionalProperties !== undefined
      ? [forbidden(`${field}.additionalProperties`, 'must not be used at the root')]
      : []),
    ...(embedded ? validateEmbedded(schema, field) : []),
    ...(level === 'root' || embedded ? validateObjectMembers(schema, level, field) : []),
    ...(intOrString ? validateIntOrString(schema, field) : []),
    ...validateJunctors(schema, field, { mayNameTypes: true }),
    ...(pattern ? validatePattern(pattern, field) : []),
  ];
}

function validateType(schema: JSONSchemaProps, level: Level, field: string): FieldError[] {
  const {
    type = '',
    'x-kubernetes-int-or-string': intOrString,
    'x-kubernetes-preserve-unknown-fields': preserve,
    'x-kubernetes-embedded-resource': embedded,
  } = schema;
  const path = `${field}.type`;
  if (embedded && type !== 'object') {
    const text = 'must be object if x-kubernetes-embedded-resource is true';
    return [type === '' ? required(path, text) : invalid(path, type, text)];
  }
  if (type === '') return intOrString || preserve ? [] : [required(path, MISSING_TYPE[level])];
  return level === 'root' && type !== 'object' ? [invalid(path, type, 'must be object at the root')] : [];
}

function validateEmbedded(
  {
    additionalProperties,
    properties = {},
    'x-kubernetes-preserve-unknown-fields': preserve,
  }: JSONSchemaProps,
  field: string,
): FieldError[] {
  const text =
    'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
  return [
    ...(additionalProperties === undefined
      ? []
      : [
          forbidden(
            `${field}.additionalProperties`,
            'must not be used if x-kubernetes-embedded-resource is set',
          ),
        ]),
    ...(!preserve && Object.keys(properties).length === 0 ? [required(`${field}.properties`, text)] : []),
  ];
}

function validateIntOrString(schema: JSONSchemaProps, field: string): FieldError[] {
  const text = 'must be false if x-kubernetes-int-or-string is true';
  return (['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const).flatMap(
    (name) => (schema[name] ? [invalid(`${field}.${name}`, true, text)] : []),
  );
}

/** Types of the members that every object has. */
const OBJECT_MEMBERS = [
  ['kind', 'string'],
  ['apiVersion', 'string'],
  ['metadata', 'object'],
] as const;

/**
 * Validates the members that every object has, also an embedded one. The metadata of the object itself may
 * restrict only its names.
 */
function validateObjectMembers(
  { properties = {} }: JSONSchemaProps,
  level: Level,
  field: string,
): FieldError[] {
  const wrongTypes = OBJECT_MEMBERS.flatMap(([name, type]) =>
    Object.hasOwn(properties, name) && properties[name]!.type !== type
      ? [invalid(`${field}.properties[${name}].type`, properties[name]!.type ?? '', `must be ${type}`)]
      : [],
  );
  const metadata = Object.hasOwn(properties, 'metadata') ? properties.metadata! : undefined;
  return level === 'root' && metadata !== undefined
    ? [...wrongTypes, ...validateRootMetadata(metadata, `${field}.properties[metadata]`)]
    : wrongTypes;
}

/** Keywords that root metadata may have, besides those that structural schemas leave out. */
const MEANINGLESS = new Set([
  ...['type', 'default', 'properties', 'externalDocs', 'example'],
  ...['patternProperties', 'definitions', 'dependencies'],
]);

/** Keywords whose empty text is a value. */
const POINTERS = new Set(['x-kubernetes-list-type', 'x-kubernetes-map-type']);

/** Keywords whose empty list is the same as none. */
const EMPTY_LISTS = new Set(['enum', 'allOf', 'anyOf', 'oneOf']);

/** Returns whether the value of a keyword is the same as none in the structural form of a schema. */
const isUnset = (keyword: string, value: unknown): boolean =>
  value === undefined ||
  (value === '' && !POINTERS.has(keyword)) ||
  (value === false && keyword !== 'additionalProperties') ||
  (Array.isArray(value) && value.length === 0 && EMPTY_LISTS.has(keyword));

function validateRootMetadata(metadata: JSONSchemaProps, field: string): FieldError[] {
  const { properties: members = {} } = metadata;
  const isPlain =
    Object.entries(metadata).every(([name, value]) => MEANINGLESS.has(name) || isUnset(name, value)) &&
    Object.keys(members).every((name) => name === 'name' || name === 'generateName');
  const text =
    'must not specify anything other than name and generateName, but metadata is implicitly specified';
  return isPlain ? [] : [forbidden(field, text)];
}

/** Keywords that nested schemas may have without meaning. */
const MEANINGLESS_IN_JUNCTORS = new Set([...MEANINGLESS].filter((name) => name !== 'properties'));

const isUnsetInJunctor = (keyword: string, value: unknown): boolean =>
  MEANINGLESS_IN_JUNCTORS.has(keyword) || isUnset(keyword, value) || value === false;

/**
 * Returns whether `anyOf` is the form of int-or-string that generators write. Types are allowed in it, also
 * without the extension for int-or-string.
 */
export const isIntOrString = (anyOf: readonly JSONSchemaProps[] = []): boolean =>
  anyOf.length === 2 &&
  anyOf[0]!.type === 'integer' &&
  anyOf[1]!.type === 'string' &&
  anyOf.every((one) => Object.entries(one).every(([name, value]) => isUnsetInJunctor(name, value)));

function validateJunctors(
  schema: JSONSchemaProps,
  field: string,
  { mayNameTypes = false } = {},
): FieldError[] {
  return [
    ...JUNCTORS.flatMap((junctor) =>
      checkEach(schema[junctor] ?? [], { place: 'nested', cost: 0 }, (child, index) => {
        if (mayNameTypes && junctor === 'anyOf' && isIntOrString(schema.anyOf)) return [];
        const choice = mayNameTypes && junctor === 'allOf' && index === 0 && isIntOrString(child.anyOf);
        return validateNested(
          choice ? { ...child, anyOf: undefined } : child,
          `${field}.${junctor}[${index}]`,
        );
      }),
    ),
    ...(schema.not === undefined ? [] : validateNested(schema.not, `${field}.not`)),
  ];
}

/** Validates a schema inside a junctor, which may restrict values but not define types. */
function validateNested(schema: JSONSchemaProps, field: string): FieldError[] {
  spend(COST);
  const reject = (keyword: string, text: string): FieldError =>
    forbidden(`${field}.${keyword}`, `must be ${text} to be structural`);
  const element = elementOf(schema);
  return [
    ...validateJunctors(schema, field),
    ...(schema.pattern ? validatePattern(schema.pattern, field) : []),
    ...(element === undefined ? [] : validateNested(element, `${field}.items`)),
    ...checkProperties(schema, 'nested', (property, name) =>
      validateNested(property, `${field}.properties[${name}]`),
    ),
    ...(
      ['type', 'title', 'description', 'x-kubernetes-validations', 'x-kubernetes-list-map-keys'] as const
    ).flatMap((keyword) => (isFilled(schema[keyword]) ? [reject(keyword, 'empty')] : [])),
    ...(schema.additionalProperties ? [reject('additionalProperties', 'undefined')] : []),
    ...(['default', 'x-kubernetes-list-type', 'x-kubernetes-map-type'] as const).flatMap((keyword) =>
      schema[keyword] === undefined ? [] : [reject(keyword, 'undefined')],
    ),
    ...(
      [
        'nullable',
        'x-kubernetes-preserve-unknown-fields',
        'x-kubernetes-embedded-resource',
        'x-kubernetes-int-or-string',
      ] as const
    ).flatMap((keyword) => (schema[keyword] ? [reject(keyword, 'false')] : [])),
    ...(Object.hasOwn(schema.properties ?? {}, 'metadata')
      ? [forbidden(`${field}.properties[metadata]`, 'must not be specified in a nested context')]
      : []),
  ];
}

const isFilled = (value: string | readonly unknown[] | undefined): boolean =>
  value !== undefined && value.length > 0;

function validatePattern(pattern: string, field: string): FieldError[] {
  const error = patternError(pattern);
  return error === undefined
    ? []
    : [invalid(`${field}.pattern`, pattern, `must be a valid regular expression, but isn't: ${error}`)];
}
