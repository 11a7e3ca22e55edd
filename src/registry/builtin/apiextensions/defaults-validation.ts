import { compileRuleTree, evaluateRules, type RuleError } from '../../../cel/index.ts';
import type { JSONSchemaProps } from '../../../model/generated/apiextensions-v1.ts';
import { RawJson } from '../../../model/object.ts';
import { copyJson, Structure, validateTypeMeta, valueText } from '../../../schema/structural/index.ts';
import { type FieldError, invalidFormatted } from '../../../status/field-error.ts';
import { appendAll } from '../../validation/fields.ts';
import { once, spend } from '../../validation/validate-in-steps.ts';
import { ruleSchemaOf } from './rule-schema.ts';
import { checkProperties, elementOf, mapValueOf } from './schema-walk.ts';
import { defaultSchemaOf, parsed } from './value-schema.ts';

/**
 * Validates the defaults of a structural schema: each has only specified fields, is valid and satisfies the
 * validation rules.
 */
export function validateDefaults(root: JSONSchemaProps, field: string): FieldError[] {
  return validateBelow(root, field, true);
}

function validateBelow(schema: JSONSchemaProps, field: string, isRoot: boolean): FieldError[] {
  spend(1);
  const errors =
    schema.default === undefined
      ? []
      : [
          ...once(schema, { place: 'default', cost: costOf(schema.default) }, () =>
            validateDefault(schema, `${field}.default`, isRoot),
          ),
        ];
  const element = elementOf(schema);
  const value = mapValueOf(schema);
  if (element !== undefined) errors.push(...validateBelow(element, `${field}.items`, false));
  const inner = checkProperties(schema, 'defaults', (property, name) =>
    validateBelow(property, `${field}.properties[${name}]`, false),
  );
  appendAll(errors, inner);
  if (value !== undefined) errors.push(...validateBelow(value, `${field}.additionalProperties`, false));
  return errors;
}

/** Cost of validating a default, in microseconds. */
const costOf = (value: unknown): number =>
  16 + (value instanceof RawJson ? Math.ceil(value.text.length / 32) : 0);

function validateDefault(schema: JSONSchemaProps, field: string, isRoot: boolean): FieldError[] {
  const value = parsed(schema.default);
  // Null counts as no default.
  if (value === null) return [];
  const structure = new Structure(defaultSchemaOf(schema));
  const errors: FieldError[] =
    structure.prune(copyJson(value), { isObject: isRoot }).length === 0
      ? []
      : [invalidFormatted(field, valueText(value), 'must not have unknown fields')];
  const resources = structure.embeddedResources(value, field);
  if (isRoot && typeof value === 'object' && schema['x-kubernetes-embedded-resource'] !== true)
    resources.unshift({ resource: value as Record<string, unknown>, field });
  const misfits = [...structure.validate(value, { field }), ...resources.flatMap(validateTypeMeta)];
  if (misfits.length > 0) return [...errors, ...misfits];
  const tree = compileRuleTree(
    ruleSchemaOf(schema),
    isRoot || schema['x-kubernetes-embedded-resource'] === true,
  );
  if (tree === undefined) return errors;
  return [...errors, ...evaluateRules(tree, value, value).errors.map((error) => atDefault(error, field))];
}

function atDefault({ type, field, badValue, detail }: RuleError, place: string): FieldError {
  const path = field === '<nil>' ? place : field.startsWith('[') ? `${place}${field}` : `${place}.${field}`;
  const heads = {
    FieldValueInvalid: `Invalid value: ${JSON.stringify(badValue)}`,
    FieldValueForbidden: 'Forbidden',
    FieldValueRequired: 'Required value',
    FieldValueDuplicate: `Duplicate value: ${JSON.stringify(badValue)}`,
  };
  return {
    type,
    field: path,
    body: type === 'FieldValueDuplicate' ? heads[type] : `${heads[type]}: ${detail}`,
  };
}
