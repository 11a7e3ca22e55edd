import {
  type CompiledRule,
  compileRulesInSteps,
  elementOf,
  mapValueOf,
  type Rule,
  type RuleSchema,
} from '../../../cel/index.ts';
import type { JSONSchemaProps } from '../../../model/generated/apiextensions-v1.ts';
import { type FieldError, internal, invalid, invalidFormatted } from '../../../status/field-error.ts';
import { formatGoPointer, formatGoStruct, formatGoText } from '../../validation/format-struct.ts';
import { multipliedCost, TotalCost, validateCost } from './rule-cost.ts';
import { ruleSchemaOf } from './rule-schema.ts';
import type { RulesContext } from './schema-checker.ts';

/**
 * Validates the expressions of a schema's rules: they compile, refer only to available fields and stay below
 * the cost limits. Errors of inner schemas come first.
 */
export function validateRuleExpressions(
  root: JSONSchemaProps,
  field: string,
  context: RulesContext,
): FieldError[] {
  const steps = validateRuleExpressionsInSteps(root, field, context);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Compilation cost of a rule beyond its length, in characters. */
const PER_RULE = 64;

/** Validates in steps; yields the cost of each step, in characters. */
export function* validateRuleExpressionsInSteps(
  root: JSONSchemaProps,
  field: string,
  context: RulesContext,
): Generator<number, FieldError[], void> {
  const total = new TotalCost();
  const errors = yield* validateBelow(
    ruleSchemaOf(root),
    { field, isRoot: true, cardinality: 1n },
    context,
    total,
  );
  return [...errors, ...total.validate(field)];
}

interface Place {
  readonly field: string;
  readonly isRoot: boolean;
  /**
   * Maximum number of values of the schema in one object; undefined when a surrounding list or map is
   * unbounded.
   */
  readonly cardinality: bigint | undefined;
  /** Path of a list whose elements cannot be correlated with the old object. */
  readonly uncorrelatable?: string;
}

const within = (cardinality: bigint | undefined, most: number | undefined): bigint | undefined =>
  cardinality === undefined || most === undefined ? undefined : multipliedCost(cardinality, BigInt(most));

function* validateBelow(
  schema: RuleSchema,
  place: Place,
  context: RulesContext,
  total: TotalCost,
): Generator<number, FieldError[], void> {
  const { field, cardinality, uncorrelatable } = place;
  const below = { isRoot: false, cardinality, uncorrelatable };
  const hasPast = schema['x-kubernetes-list-type'] === 'map';
  const errors: FieldError[] = [];
  const value = mapValueOf(schema);
  if (value !== undefined) {
    const values = {
      ...below,
      field: `${field}.additionalProperties`,
      cardinality: within(cardinality, schema.maxProperties),
    };
    for (const error of yield* validateBelow(value, values, context, total)) errors.push(error);
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    for (const error of yield* validateBelow(
      property,
      { ...below, field: `${field}.properties[${name}]` },
      context,
      total,
    ))
      errors.push(error);
  }
  const element = elementOf(schema);
  if (element !== undefined) {
    const past = { uncorrelatable: uncorrelatable ?? (hasPast ? undefined : field) };
    const elements = {
      ...below,
      ...past,
      field: `${field}.items`,
      cardinality: within(cardinality, schema.maxItems),
    };
    for (const error of yield* validateBelow(element, elements, context, total)) errors.push(error);
  }
  for (const error of yield* validateOwn(schema, place, context, total)) errors.push(error);
  return errors;
}

function* validateOwn(
  schema: RuleSchema,
  place: Place,
  context: RulesContext,
  total: TotalCost,
): Generator<number, FieldError[], void> {
  if ((schema['x-kubernetes-validations'] ?? []).length === 0 || context.hasErrors(place.field)) return [];
  const field = `${place.field}.x-kubernetes-validations`;
  const compiled = yield* compileRulesInSteps(schema, {
    isResource: place.isRoot || schema['x-kubernetes-embedded-resource'] === true,
    ruleGeneration: (text) => (context.storedRules.has(text) ? 'stored' : 'new'),
    messageGeneration: (text) => (context.storedMessages.has(text) ? 'stored' : 'new'),
  });
  if (compiled === undefined)
    return [
      internal(
        field,
        'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations',
      ),
    ];
  const times = place.cardinality ?? BigInt(compiled.maxPerRequest);
  const errors: FieldError[] = [];
  for (const [index, rule] of compiled.rules.entries()) {
    const path = `${field}[${index}]`;
    errors.push(
      ...validateExpressions(rule, path, times, context, total),
      ...validateOldSelf(rule, path, place.uncorrelatable),
    );
    yield PER_RULE;
  }
  return errors;
}

function validateExpressions(
  compiled: CompiledRule,
  field: string,
  times: bigint,
  { isUnchanged }: RulesContext,
  total: TotalCost,
): FieldError[] {
  const { rule, check, error, message, messageError } = compiled;
  const errors: FieldError[] = [];
  const reject = (member: string, text: string): unknown =>
    errors.push(invalidFormatted(`${field}.${member}`, formatRule(rule), text));
  const observe = (member: string, label: string, cost: bigint): void => {
    const path = `${field}.${member}`;
    if (!isUnchanged) errors.push(...validateCost(path, label, cost));
    total.add(path, cost);
  };
  if (check !== undefined) observe('rule', 'estimated rule cost', multipliedCost(check.maxCost, times));
  if (error !== undefined) reject('rule', error);
  if (messageError !== undefined) reject('messageExpression', messageError);
  if (message !== undefined)
    observe('messageExpression', 'estimated messageExpression cost', message.maxCost);
  return errors;
}

function validateOldSelf(
  { rule, usesOldSelf }: CompiledRule,
  field: string,
  uncorrelatable: string | undefined,
): FieldError[] {
  if (!usesOldSelf) {
    const { optionalOldSelf } = rule;
    return optionalOldSelf === undefined
      ? []
      : [
          invalid(
            `${field}.optionalOldSelf`,
            optionalOldSelf,
            'may not be set if oldSelf is not used in rule',
          ),
        ];
  }
  if (uncorrelatable === undefined) return [];
  return [
    invalid(
      `${field}.rule`,
      rule.rule,
      `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`,
    ),
  ];
}

const formatRule = ({ rule, message, messageExpression, reason, fieldPath, optionalOldSelf }: Rule): string =>
  formatGoStruct('apiextensions.ValidationRule', {
    Rule: formatGoText(rule),
    Message: formatGoText(message),
    MessageExpression: formatGoText(messageExpression),
    Reason: formatGoPointer('apiextensions.FieldValueErrorReason', reason),
    FieldPath: formatGoText(fieldPath),
    OptionalOldSelf: formatGoPointer('bool', optionalOldSelf),
  });
