import { quoteList } from '../../errors/quote.ts';
import type { JobSpec, PodFailurePolicyRule, SuccessPolicy } from '../../model/generated/batch-v1.ts';
import { qualifiedName } from '../../model/name-syntax.ts';
import {
  duplicate,
  type FieldError,
  invalid,
  invalidFormatted,
  notSupported,
  required,
  tooLong,
  tooMany,
} from '../../status/field-error.ts';
import { onceInTurns } from '../../steps/replay.ts';
import { appendAll, invalidTexts, validateNonNegative } from '../validation/fields.ts';
import { formatGo } from '../validation/go-value.ts';
import { countingIndexes } from './index-list.ts';

const MAXIMUM_RULES = 20;
const MAXIMUM_PATTERNS = 20;
const MAXIMUM_EXIT_CODES = 255;
const MAXIMUM_INDEXES_BYTES = 64 * 1024;
const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const EXIT_OPERATORS = ['In', 'NotIn'];
const STATUSES = ['False', 'True', 'Unknown'];
const validValues = (values: readonly string[]): string => `valid values: ${quoteList(values)}`;

function validateEnum(value: string | undefined, supported: readonly string[], field: string): FieldError[] {
  if (!value) return [required(field, validValues(supported))];
  return supported.includes(value) ? [] : [notSupported(field, value, supported)];
}

/** Validates the pod failure policy of a job. */
export function validatePodFailurePolicy(spec: JobSpec, field: string): FieldError[] {
  const rules = spec.podFailurePolicy?.rules ?? [];
  return [
    ...(rules.length > MAXIMUM_RULES ? [tooMany(`${field}.rules`, rules.length, MAXIMUM_RULES)] : []),
    ...rules.flatMap((rule, index) => validateFailureRule(spec, rule, `${field}.rules[${index}]`)),
  ];
}

function validateFailureRule(spec: JobSpec, rule: PodFailurePolicyRule, field: string): FieldError[] {
  const { action, onExitCodes, onPodConditions = [] } = rule;
  const errors = validateEnum(action, ACTIONS, `${field}.action`);
  if (action === 'FailIndex' && spec.backoffLimitPerIndex === undefined)
    errors.push(invalid(`${field}.action`, action, 'requires the backoffLimitPerIndex to be set'));
  if (onExitCodes !== undefined)
    appendAll(errors, validateExitCodes(spec, onExitCodes, `${field}.onExitCodes`));
  if (onPodConditions.length > 0) {
    if (onPodConditions.length > MAXIMUM_PATTERNS)
      errors.push(tooMany(`${field}.onPodConditions`, onPodConditions.length, MAXIMUM_PATTERNS));
    onPodConditions.forEach(({ type = '', status }, index) => {
      errors.push(
        ...invalidTexts(`${field}.onPodConditions[${index}].type`, type, qualifiedName(type)),
        ...validateEnum(status, STATUSES, `${field}.onPodConditions[${index}].status`),
      );
    });
  }
  if (onExitCodes !== undefined && onPodConditions.length > 0)
    errors.push(
      invalidFormatted(field, '', 'specifying both OnExitCodes and OnPodConditions is not supported'),
    );
  if (onExitCodes === undefined && onPodConditions.length === 0)
    errors.push(invalidFormatted(field, '', 'specifying one of OnExitCodes and OnPodConditions is required'));
  return errors;
}

const formatExitCodes = (values: readonly number[] | undefined): string =>
  values === undefined ? '[]int32(nil)' : `[]int32{${values.join(', ')}}`;

function validateExitCodes(
  spec: JobSpec,
  { containerName, operator, values: given }: NonNullable<PodFailurePolicyRule['onExitCodes']>,
  field: string,
): FieldError[] {
  const { containers = [], initContainers = [] } = spec.template?.spec ?? {};
  const values = given ?? [];
  const errors = validateEnum(operator, EXIT_OPERATORS, `${field}.operator`);
  if (
    containerName !== undefined &&
    ![...containers, ...initContainers].some(({ name }) => name === containerName)
  ) {
    errors.push(
      invalid(
        `${field}.containerName`,
        containerName,
        'must be one of the container or initContainer names in the pod template',
      ),
    );
  }
  if (values.length === 0)
    errors.push(
      invalidFormatted(`${field}.values`, formatExitCodes(given), 'at least one value is required'),
    );
  else if (values.length > MAXIMUM_EXIT_CODES)
    errors.push(tooMany(`${field}.values`, values.length, MAXIMUM_EXIT_CODES));
  const seen = new Set<number>();
  values.forEach((value, index) => {
    if (operator === 'In' && value === 0)
      errors.push(invalid(`${field}.values[${index}]`, value, 'must not be 0 for the In operator'));
    if (seen.has(value)) errors.push(duplicate(`${field}.values[${index}]`, value));
    seen.add(value);
  });
  if (values.some((value, index) => index > 0 && value < values[index - 1]!))
    errors.push(invalidFormatted(`${field}.values`, formatExitCodes(given), 'must be ordered'));
  return errors;
}

/** Validates the success policy of an indexed job. */
export function validateSuccessPolicy(spec: JobSpec, field: string): FieldError[] {
  const policy = spec.successPolicy as SuccessPolicy;
  if (spec.completionMode !== 'Indexed')
    return [
      invalidFormatted(field, formatGo('batch.SuccessPolicy', policy), 'requires indexed completion mode'),
    ];
  const rules = policy.rules ?? [];
  const errors: FieldError[] = [];
  if (rules.length === 0)
    errors.push(
      required(`${field}.rules`, 'at least one rules must be specified when the successPolicy is specified'),
    );
  if (rules.length > MAXIMUM_RULES) errors.push(tooMany(`${field}.rules`, rules.length, MAXIMUM_RULES));
  return [
    ...errors,
    ...rules.flatMap((rule, index) =>
      validateSuccessRule(rule, spec.completions ?? 0, `${field}.rules[${index}]`),
    ),
  ];
}

type SuccessRule = NonNullable<SuccessPolicy['rules']>[number];

/** Cost of reading a short list of indexes. */
const INDEXES_COST = 16;

function validateSuccessRule(rule: SuccessRule, completions: number, field: string): FieldError[] {
  const { succeededIndexes, succeededCount } = rule;
  const errors: FieldError[] = [];
  if (succeededIndexes === undefined && succeededCount === undefined)
    errors.push(required(field, 'at least one of succeededCount or succeededIndexes must be specified'));
  const listed =
    succeededIndexes === undefined
      ? undefined
      : onceInTurns(rule, { place: field, cost: INDEXES_COST }, () =>
          countingIndexes(succeededIndexes, completions),
        );
  if (Buffer.byteLength(succeededIndexes ?? '') > MAXIMUM_INDEXES_BYTES)
    errors.push(tooLong(`${field}.succeededIndexes`, MAXIMUM_INDEXES_BYTES));
  if (listed?.error !== undefined)
    errors.push(
      invalid(
        `${field}.succeededIndexes`,
        succeededIndexes,
        `error parsing succeededIndexes: ${listed.error}`,
      ),
    );
  if (succeededCount === undefined) return errors;
  const path = `${field}.succeededCount`;
  const atMost = (count: number, description: string): FieldError[] =>
    succeededCount > count
      ? [invalid(path, succeededCount, `must be less than or equal to ${count} (${description})`)]
      : [];
  return [
    ...errors,
    ...validateNonNegative(succeededCount, path),
    ...atMost(completions, 'the number of specified completions'),
    ...(listed === undefined
      ? []
      : atMost(listed.count, 'the number of indexes in the specified succeededIndexes field')),
  ];
}
