import type { JSONSchemaProps } from '../../model/generated/apiextensions-v1.ts';
import { plainValue } from '../../model/object.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import type { ValueSchema } from '../../schema/structural/index.ts';
import { Pace } from '../../steps/pace.ts';
import { stepSizes } from '../../steps/sizes.ts';
import type { Steps } from '../../steps/steps.ts';
import { checksRange, formatRules, isCheckedFormat } from './formats.ts';
import { elementOf, propertiesOf, schemaLevels } from './schema-walk.ts';

/** Converts a schema with all nested schemas, each once. */
type Conversion = (schema: JSONSchemaProps) => ValueSchema;

/** Conversions by the rules of a release and of the purpose. */
const conversions = new Map<string, Conversion>();

function conversion(has: RuleContext['has'], intOrStringHasTypes: boolean): Conversion {
  const key = `${formatRules(has)} ${intOrStringHasTypes}`;
  const known = conversions.get(key) ?? createConversion(has, intOrStringHasTypes);
  conversions.set(key, known);
  return known;
}

function createConversion(has: RuleContext['has'], intOrStringHasTypes: boolean): Conversion {
  const known = new WeakMap<JSONSchemaProps, ValueSchema>();
  return function convertOnce(schema) {
    let converted = known.get(schema);
    if (converted === undefined) {
      converted = convert(schema, convertOnce, has, intOrStringHasTypes);
      known.set(schema, converted);
    }
    return converted;
  };
}

/** Converts a definition's schema for the validation of values, in steps of some milliseconds: inner schemas first. */
export function* convertingSchema(root: JSONSchemaProps, has: RuleContext['has']): Steps<ValueSchema> {
  const valueSchemaOf = conversion(has, true);
  const pace = new Pace(stepSizes.values);
  const levels: (readonly JSONSchemaProps[])[] = [];
  for (const level of schemaLevels(root)) {
    levels.push(level);
    if (pace.isPause(level.length)) yield;
  }
  for (const level of levels.reverse())
    for (const schema of level) {
      valueSchemaOf(schema);
      if (pace.isPause(1 + (schema.enum?.length ?? 0))) yield;
    }
  return valueSchemaOf(root);
}

/**
 * Converts a definition's schema for the validation of its defaults: `x-kubernetes-int-or-string` allows
 * values of every type there, as in kube-apiserver.
 */
export const defaultSchemaOf = (schema: JSONSchemaProps, has: RuleContext['has']): ValueSchema =>
  conversion(has, false)(schema);

function convert(
  schema: JSONSchemaProps,
  nested: Conversion,
  has: RuleContext['has'],
  intOrStringHasTypes: boolean,
): ValueSchema {
  const element = elementOf(schema);
  const { additionalProperties, not, allOf, anyOf, oneOf } = schema;
  const all = (list: readonly JSONSchemaProps[] | undefined): ValueSchema[] | undefined => list?.map(nested);
  return compact({
    type: schema.type,
    default: schema.default === undefined ? undefined : plainValue(schema.default),
    format: isCheckedFormat(schema, has) ? schema.format : undefined,
    checksRange: checksRange(schema, has) || undefined,
    nullable: schema.nullable,
    enum: schema.enum?.map(plainValue),
    maximum: schema.maximum,
    exclusiveMaximum: schema.exclusiveMaximum,
    minimum: schema.minimum,
    exclusiveMinimum: schema.exclusiveMinimum,
    multipleOf: schema.multipleOf,
    maxLength: schema.maxLength,
    minLength: schema.minLength,
    pattern: schema.pattern,
    maxItems: schema.maxItems,
    minItems: schema.minItems,
    uniqueItems: schema.uniqueItems,
    maxProperties: schema.maxProperties,
    minProperties: schema.minProperties,
    required: schema.required,
    items: element && nested(element),
    properties:
      schema.properties && new Map(propertiesOf(schema).map(([name, property]) => [name, nested(property)])),
    additionalProperties:
      typeof additionalProperties === 'object' ? nested(additionalProperties) : additionalProperties,
    allOf: all(allOf),
    anyOf: all(anyOf),
    oneOf: all(oneOf),
    not: not && nested(not),
    listType: schema['x-kubernetes-list-type'],
    listMapKeys: schema['x-kubernetes-list-map-keys'],
    isIntOrString: intOrStringHasTypes ? schema['x-kubernetes-int-or-string'] : undefined,
    isEmbeddedResource: schema['x-kubernetes-embedded-resource'],
    mapType: schema['x-kubernetes-map-type'],
    preservesUnknownFields: schema['x-kubernetes-preserve-unknown-fields'],
  });
}

/** Leaves out the keywords that are not set, which are most: definitions have thousands of schemas. */
function compact(schema: ValueSchema): ValueSchema {
  const compacted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(schema)) if (value !== undefined) compacted[name] = value;
  return compacted;
}
