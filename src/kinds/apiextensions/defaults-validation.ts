import {
  compileRuleTree,
  evaluateRules,
  RULES_BUDGET,
  type RuleError,
  type RulesResult,
} from '../../cel/index.ts';
import { aggregate } from '../../errors/aggregate.ts';
import { quote } from '../../errors/quote.ts';
import type { JSONSchemaProps } from '../../model/generated/apiextensions-v1.ts';
import { plainValue, RawJson } from '../../model/object.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { copyJson, Structure, valueText } from '../../schema/structural/index.ts';
import { type FieldError, formatFieldError, invalidFormatted } from '../../status/field-error.ts';
import { once, onceInTurns, spend } from '../../steps/replay.ts';
import { runNow } from '../../steps/run.ts';
import type { Steps } from '../../steps/steps.ts';
import { appendAll } from '../validation/fields.ts';
import {
  coerceEmbeddedResources,
  RefusedMetadataError,
  validateEmbeddedResource,
} from '../validation/metadata-coercion.ts';
import { ruleSchemaOf } from './rule-schema.ts';
import { checkProperties, elementOf } from './schema-walk.ts';
import { defaultSchemaOf } from './value-schema.ts';

/** Where a schema is, as far as its defaults depend on it. */
interface Place {
  /** The schema of the object around the default: the root, or the nearest embedded resource. */
  readonly root: JSONSchemaProps;
  /** Names of members, and undefined for items, from that object to the value of the schema. */
  readonly steps: readonly (string | undefined)[];
  /** The value is metadata, apiVersion or kind of that object, or inside of it. */
  readonly inMetadata: boolean;
  readonly has: RuleContext['has'];
}

/** The remaining cost of rules that are evaluated for all defaults of a schema. */
interface Budget {
  left: number;
}

/**
 * Validates the defaults of a structural schema: each has only specified fields, is valid and satisfies the
 * validation rules. Defaults inside `additionalProperties` are not validated, as in kube-apiserver.
 */
export function validateDefaults(
  root: JSONSchemaProps,
  field: string,
  has: RuleContext['has'],
): FieldError[] {
  return validateBelow(root, field, { root, steps: [], inMetadata: false, has }, { left: RULES_BUDGET });
}

function validateBelow(schema: JSONSchemaProps, field: string, outer: Place, budget: Budget): FieldError[] {
  spend(1);
  const isWhole = schema === outer.root || schema['x-kubernetes-embedded-resource'] === true;
  const place = isWhole ? { root: schema, steps: [], inMetadata: false, has: outer.has } : outer;
  const errors: FieldError[] = [];
  if (schema.default !== undefined && budget.left >= 0) {
    const { left } = budget;
    const checked = once(schema, { place: 'default', cost: costOf(schema.default) }, () =>
      validateDefault(schema, `${field}.default`, place, left),
    );
    errors.push(...checked.errors);
    budget.left = checked.left;
  }
  const element = elementOf(schema);
  if (element !== undefined) {
    const inner = { ...place, steps: [...place.steps, undefined] };
    errors.push(...validateBelow(element, `${field}.items`, inner, budget));
  }
  const inner = checkProperties(schema, 'defaults', (property, name) => {
    const inMetadata = place.inMetadata || (isWhole && METADATA_MEMBERS.has(name));
    const below = { ...place, steps: [...place.steps, name], inMetadata };
    return validateBelow(property, `${field}.properties[${name}]`, below, budget);
  });
  appendAll(errors, inner);
  return errors;
}

const METADATA_MEMBERS = new Set(['metadata', 'apiVersion', 'kind']);

/** Cost of validating a default, in microseconds. */
const costOf = (value: unknown): number =>
  16 + (value instanceof RawJson ? Math.ceil(value.text.length / 32) : 0);

/** The errors of a default, and the cost that remains for other defaults. */
interface Checked {
  readonly errors: readonly FieldError[];
  readonly left: number;
}

function validateDefault(schema: JSONSchemaProps, field: string, place: Place, left: number): Checked {
  const cost = costOf(schema.default);
  // Each step of a large default takes several milliseconds.
  const step = <Result>(name: string, compute: () => Result): Result =>
    once(schema, { place: `default: ${name}`, cost }, compute);
  const value = step('value', () => plainValue(schema.default));
  // Null counts as no default.
  if (value === null) return { errors: [], left };
  const structure = step('structure', () => new Structure(defaultSchemaOf(schema, place.has)));
  const errors: FieldError[] = [];
  if (place.inMetadata) {
    const fault = metadataFault(value, place);
    const detail = `must result in valid metadata: ${fault}`;
    if (fault !== undefined) return { errors: [invalidFormatted(field, valueText(value), detail)], left };
  } else {
    const isRoot = schema === place.root;
    const copy = step('copy', () => copyJson(value));
    if (step('unknown fields', () => runNow(structure.prune(copy, { isObject: isRoot }))).length > 0)
      errors.push(invalidFormatted(field, valueText(value), 'must not have unknown fields'));
    const faults = step('resources', () =>
      resourceFaults(copyJson(value), isRoot ? wholeStructure(schema, place.has) : structure, field),
    );
    if (faults.length > 0) return { errors: [...errors, ...faults], left };
  }
  const misfits = step('misfits', () => runNow(structure.validate(value, { field })));
  if (misfits.length > 0) return { errors: [...errors, ...misfits], left };
  const rules = onceInTurns(schema, { place: 'default: rules', cost }, () =>
    evaluateRulesOf(schema, value, schema === place.root, left),
  );
  return { errors: [...errors, ...rules.errors.map((error) => atDefault(error, field))], left: rules.budget };
}

const wholeStructure = (schema: JSONSchemaProps, has: RuleContext['has']): Structure =>
  new Structure({ ...defaultSchemaOf(schema, has), isEmbeddedResource: true });

/** Validates metadata, apiVersion and kind of the resources in a value, which may be changed. */
function resourceFaults(value: unknown, structure: Structure, field: string): FieldError[] {
  const resources = runNow(structure.embeddedResources(value, field));
  if (resources.length === 0) return [];
  try {
    coerceEmbeddedResources(resources, 'refuse');
  } catch (error) {
    if (!(error instanceof RefusedMetadataError)) throw error;
    return [error.fieldError];
  }
  return resources.flatMap(validateEmbeddedResource);
}

/** Returns why an object with a default at its place in the metadata is not valid. */
function metadataFault(value: unknown, { root, steps, has }: Place): string | undefined {
  const inside = steps.reduceRight<unknown>(
    (inner, name) => (name === undefined ? [inner] : { [name]: inner }),
    copyJson(value),
  );
  const whole = { kind: 'Validation', apiVersion: 'validation/v1', ...(inside as object) };
  const faults = resourceFaults(whole, wholeStructure(root, has), '');
  return faults.length === 0 ? undefined : aggregate(faults.map(formatFieldError));
}

/** Evaluates the rules for an update of the default to itself, and for its creation. */
function* evaluateRulesOf(
  schema: JSONSchemaProps,
  value: unknown,
  isRoot: boolean,
  budget: number,
): Steps<Pick<RulesResult, 'errors' | 'budget'>> {
  const tree = yield* compileRuleTree(ruleSchemaOf(schema), isRoot);
  if (tree === undefined) return { errors: [], budget };
  const update = yield* evaluateRules(tree, value, value, { budget });
  if (update.errors.length > 0) return update;
  const creation = yield* evaluateRules(tree, value, undefined, { budget });
  return { errors: creation.errors, budget: Math.min(update.budget, creation.budget) };
}

function atDefault({ type, field, badValue, detail }: RuleError, place: string): FieldError {
  const path = field === '<nil>' ? place : field.startsWith('[') ? `${place}${field}` : `${place}.${field}`;
  const heads = {
    FieldValueInvalid: `Invalid value: ${quote(badValue)}`,
    FieldValueForbidden: 'Forbidden',
    FieldValueRequired: 'Required value',
    FieldValueDuplicate: `Duplicate value: ${quote(badValue)}`,
  };
  return {
    type,
    field: path,
    body: type === 'FieldValueDuplicate' ? heads[type] : `${heads[type]}: ${detail}`,
  };
}
