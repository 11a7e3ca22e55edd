import {
  type CompiledRule,
  compilationPace,
  compileRules,
  elementOf,
  mapValueOf,
  type Rule,
  type RuleCompilation,
  type RuleSchema,
} from '../../cel/index.ts';
import type { JSONSchemaProps } from '../../model/generated/apiextensions-v1.ts';
import { type FieldError, internal, invalid, invalidFormatted } from '../../status/field-error.ts';
import type { Pace } from '../../steps/pace.ts';
import type { Steps } from '../../steps/steps.ts';
import { formatGoPointer, formatGoStruct, formatGoText } from '../validation/format-struct.ts';
import { multipliedCost, TotalCost, validateCost } from './rule-cost.ts';
import { ruleSchemaOf } from './rule-schema.ts';
import type { RulesContext } from './schema-checker.ts';

/** Validates all rules of a schema. */
interface Validation extends RulesContext {
  readonly total: TotalCost;
  readonly pace: Pace;
}

/** Cost of reporting the errors of a rule, in characters. */
const PER_RULE = 64;

/**
 * Validates the expressions of a schema's rules: they compile, refer only to available fields and stay below
 * the cost limits. Errors of inner schemas come first.
 */
export function* validateRuleExpressions(
  root: JSONSchemaProps,
  field: string,
  context: RulesContext,
): Steps<FieldError[]> {
  const validation = { ...context, total: new TotalCost(), pace: compilationPace() };
  const place = { field, isRoot: true, cardinality: 1n };
  const errors = yield* validateBelow(ruleSchemaOf(root), place, validation);
  return [...errors, ...validation.total.validate(field)];
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

function* validateBelow(schema: RuleSchema, place: Place, validation: Validation): Steps<FieldError[]> {
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
    for (const error of yield* validateBelow(value, values, validation)) errors.push(error);
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    for (const error of yield* validateBelow(
      property,
      { ...below, field: `${field}.properties[${name}]` },
      validation,
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
    for (const error of yield* validateBelow(element, elements, validation)) errors.push(error);
  }
  for (const error of yield* validateOwn(schema, place, validation)) errors.push(error);
  return errors;
}

function* validateOwn(schema: RuleSchema, place: Place, validation: Validation): Steps<FieldError[]> {
  if ((schema['x-kubernetes-validations'] ?? []).length === 0 || validation.hasErrors(place.field)) return [];
  const field = `${place.field}.x-kubernetes-validations`;
  const options: RuleCompilation = {
    isResource: place.isRoot || schema['x-kubernetes-embedded-resource'] === true,
    ruleGeneration: (text) => (validation.storedRules.has(text) ? 'stored' : 'new'),
    messageGeneration: (text) => (validation.storedMessages.has(text) ? 'stored' : 'new'),
    compatibility: validation.compatibility,
    estimate: validation.estimate,
  };
  const compiled = yield* compileRules(schema, options, validation.pace);
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
      ...validateExpressions(rule, path, times, validation),
      ...validateOldSelf(rule, path, place.uncorrelatable),
    );
    if (validation.pace.isPause(PER_RULE)) yield;
  }
  return errors;
}

function validateExpressions(
  compiled: CompiledRule,
  field: string,
  times: bigint,
  { isUnchanged, total }: Validation,
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
