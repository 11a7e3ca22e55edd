import { evaluateRules, type RuleError, type RulesOptions } from '../../../cel/index.ts';
import { literalsOf } from '../../../codec/number-literals.ts';
import { quote } from '../../../errors/quote.ts';
import { validateEmbeddedResource } from '../../../kinds/validation/metadata-coercion.ts';
import type { Life } from '../../../model/life.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { isBlocking } from '../../../schema/structural/index.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { type Steps, waitFor } from '../../../steps/steps.ts';
import { validateScaleStatus, validateScaleValues } from '../scale.ts';
import type { CustomVersion } from './custom-version.ts';
import { withFloats } from './float-literals.ts';

/** What validation found. */
export interface Findings {
  readonly errors: readonly FieldError[];
  /** Violated rules of unchanged values, which ratcheting tolerates. */
  readonly warnings: readonly string[];
}

const RULES_SKIPPED: FieldError = {
  type: 'FieldValueInvalid',
  field: '<nil>',
  body: 'Invalid value: "null": some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

/**
 * Validates an object against a version: type, schema, values of `scale`, embedded resources, lists, rules; in
 * this order, as in kube-apiserver.
 * @param old the object before an update, whose unchanged parts keep their errors
 * @param typeErrors errors of its apiVersion and kind: such an object is not validated by the schema
 */
export function* validateObject(
  version: CustomVersion,
  object: KubernetesObject,
  old: KubernetesObject | undefined,
  typeErrors: readonly FieldError[] = [],
): Steps<Findings> {
  const { structure } = version;
  const options = { old, floats: literalsOf(object) };
  const hasType = typeErrors.length === 0;
  const values = hasType ? yield* structure.validate(object, options) : typeErrors;
  const embedded = yield* structure.embeddedResources(object);
  const lists = yield* structure.validateLists(object, { old });
  const errors: FieldError[] = [
    ...values.map(fieldErrorOf),
    ...(hasType ? validateScaleValues(version.scale, object) : []),
    ...embedded.flatMap(validateEmbeddedResource),
    ...lists.map(fieldErrorOf),
  ];
  // The validation of metadata reports a missing name; it blocks the rules too.
  const isBlocked = errors.some(isBlocking) || (hasType && !object.metadata?.name);
  const isUnchanged = old === undefined ? undefined : structure.unchangedAt(object, old);
  return yield* withRules(version, object, old, errors, { isUnchanged, isBlocked });
}

/** The releases in which an update of `status` keeps the errors of unchanged parts too. */
const RATCHETS_STATUS: Life = { since: '1.33' };

/**
 * Validates an update of `status`: only the status by its schema, but all rules.
 * @param old the object before the update
 */
export function* validateStatus(
  version: CustomVersion,
  object: KubernetesObject,
  old: KubernetesObject,
  has: RuleContext['has'],
): Steps<Findings> {
  const structure = version.structure.member('status');
  const ratchets = has(RATCHETS_STATUS);
  const { status } = object;
  const errors: FieldError[] = [];
  if (structure !== undefined && Object.hasOwn(object, 'status')) {
    const options = {
      field: 'status',
      floats: literalsOf(object),
      old: ratchets ? old.status : undefined,
    };
    const values = yield* structure.validate(status, options);
    errors.push(...values.map(fieldErrorOf));
  }
  errors.push(...validateScaleStatus(version.scale, object));
  const { structure: whole } = version;
  const lists = yield* whole.validateLists(object, { old });
  errors.push(...lists.map(fieldErrorOf));
  const isBlocked = errors.some(isBlocking);
  const isUnchanged = ratchets ? whole.unchangedAt(object, old) : undefined;
  return yield* withRules(version, object, old, errors, { isUnchanged, isBlocked });
}

function* withRules(
  version: CustomVersion,
  object: KubernetesObject,
  old: KubernetesObject | undefined,
  errors: readonly FieldError[],
  options: RulesOptions & { readonly isBlocked: boolean },
): Steps<Findings> {
  const rules = yield* waitFor(version.rules());
  if (rules === undefined) return { errors, warnings: [] };
  if (options.isBlocked) return { errors: [...errors, RULES_SKIPPED], warnings: [] };
  const result = yield* evaluateRules(rules, withFloats(object), old, options);
  return {
    errors: [...errors, ...result.errors.map(ruleFieldError)],
    warnings: result.warnings.map((warning) => {
      const { field, body } = ruleFieldError(warning);
      return `${field}: ${body}`;
    }),
  };
}

const fieldErrorOf = ({ type, field, body }: FieldError): FieldError => ({ type, field, body });

function ruleFieldError({ type, field, badValue, detail }: RuleError): FieldError {
  switch (type) {
    case 'FieldValueForbidden':
      return { type, field, body: `Forbidden: ${detail}` };
    case 'FieldValueRequired':
      return { type, field, body: detail === '' ? 'Required value' : `Required value: ${detail}` };
    case 'FieldValueDuplicate':
      return { type, field, body: `Duplicate value: ${quote(badValue)}` };
    default:
      return { type, field, body: `Invalid value: ${quote(badValue)}: ${detail}` };
  }
}
