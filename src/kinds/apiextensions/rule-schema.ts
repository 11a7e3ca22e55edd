import type { RuleSchema } from '../../cel/index.ts';
import type { JSONSchemaProps } from '../../model/generated/apiextensions-v1.ts';
import { elementOf, mapValueOf, propertiesOf } from './schema-walk.ts';

const known = new WeakMap<JSONSchemaProps, RuleSchema>();

/**
 * Converts a structural schema for the CEL engine: with raw enumeration values and without junctors. Each
 * schema is converted once, with all nested schemas.
 */
export function ruleSchemaOf(schema: JSONSchemaProps): RuleSchema {
  let converted = known.get(schema);
  if (converted === undefined) {
    converted = convert(schema);
    known.set(schema, converted);
  }
  return converted;
}

function convert(schema: JSONSchemaProps): RuleSchema {
  const element = elementOf(schema);
  const value = mapValueOf(schema);
  const { type, format, nullable, required, maxLength, maxItems, maxProperties } = schema;
  return {
    type,
    format,
    nullable,
    required,
    maxLength,
    maxItems,
    maxProperties,
    default: schema.default,
    enum: schema.enum?.map((one) => one.parse()),
    properties: Object.fromEntries(
      propertiesOf(schema).map(([name, property]) => [name, ruleSchemaOf(property)]),
    ),
    additionalProperties: value && ruleSchemaOf(value),
    items: element && ruleSchemaOf(element),
    'x-kubernetes-int-or-string': schema['x-kubernetes-int-or-string'],
    'x-kubernetes-embedded-resource': schema['x-kubernetes-embedded-resource'],
    'x-kubernetes-preserve-unknown-fields': schema['x-kubernetes-preserve-unknown-fields'],
    'x-kubernetes-list-type': schema['x-kubernetes-list-type'],
    'x-kubernetes-list-map-keys': schema['x-kubernetes-list-map-keys'],
    'x-kubernetes-validations': schema['x-kubernetes-validations'],
  };
}
