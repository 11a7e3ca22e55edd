import { duplicate, type FieldError, invalid, invalidFormatted, tooMany } from '../../status/field-error.ts';
import { findDuplicateStrings } from '../validation/duplicates.ts';
import { validateOneOf } from '../validation/fields.ts';
import { formatGoStrings } from '../validation/format-value.ts';
import { validateLabelName } from '../validation/labels.ts';

const MAXIMUM_CONDITIONS = 4;
const OPERATIONS = ['*', 'NodePrepareResources', 'NodeUnprepareResources'];

interface Binding {
  readonly bindingConditions?: readonly string[] | undefined;
  readonly bindingFailureConditions?: readonly string[] | undefined;
}

/** Validates the conditions that a device waits for before its pod is bound: two lists without a common one. */
export function validateBindingConditions(
  { bindingConditions = [], bindingFailureConditions = [] }: Binding,
  field: string,
): FieldError[] {
  const list = (conditions: readonly string[], name: string): FieldError[] => {
    const path = `${field}.${name}`;
    const repeated = findDuplicateStrings(conditions);
    return [
      ...conditions.flatMap((condition, index) => validateLabelName(condition, `${path}[${index}]`)),
      ...(conditions.length > MAXIMUM_CONDITIONS
        ? [tooMany(path, conditions.length, MAXIMUM_CONDITIONS)]
        : []),
      ...conditions.flatMap((condition, index) =>
        repeated.has(index) ? [duplicate(`${path}[${index}]`, condition)] : [],
      ),
    ];
  };
  const failures = `${field}.bindingFailureConditions`;
  const known = new Set(bindingConditions);
  return [
    ...list(bindingConditions, 'bindingConditions'),
    ...list(bindingFailureConditions, 'bindingFailureConditions'),
    ...bindingFailureConditions.flatMap((condition, index) =>
      known.has(condition)
        ? [
            invalid(
              `${failures}[${index}]`,
              condition,
              'bindingFailureConditions must not overlap with bindingConditions',
            ),
          ]
        : [],
    ),
    ...validatePair(bindingConditions, bindingFailureConditions, field),
  ];
}

/** Neither list is of use without the other. */
function validatePair(
  conditions: readonly string[],
  failures: readonly string[],
  field: string,
): FieldError[] {
  const reject = (name: string, list: readonly string[], text: string): FieldError[] => [
    invalidFormatted(`${field}.${name}`, formatGoStrings(list), text),
  ];
  if (conditions.length === 0 && failures.length > 0)
    return reject(
      'bindingConditions',
      conditions,
      'bindingConditions are required to use bindingFailureConditions',
    );
  if (conditions.length > 0 && failures.length === 0)
    return reject(
      'bindingFailureConditions',
      failures,
      'bindingFailureConditions are required to use bindingConditions',
    );
  return [];
}

/** Validates the operations of the node that a driver does without: all, or a set of named ones. */
export function validateSkippedOperations(operations: readonly string[], field: string): FieldError[] {
  const repeated = findDuplicateStrings(operations);
  return [
    ...operations.flatMap((operation, index) => [
      ...validateOneOf(operation, OPERATIONS, `${field}[${index}]`),
      ...(repeated.has(index) ? [duplicate(`${field}[${index}]`, operation)] : []),
    ]),
    ...(operations.includes('NodePrepareResources') &&
    !operations.includes('NodeUnprepareResources') &&
    !operations.includes('*')
      ? [
          invalidFormatted(
            field,
            formatGoStrings(operations),
            'NodePrepareResources cannot be skipped unless NodeUnprepareResources is also skipped',
          ),
        ]
      : []),
  ];
}
