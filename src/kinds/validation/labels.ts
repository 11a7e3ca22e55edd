import type { LabelSelector } from '../../model/generated/meta-v1.ts';
import { labelValue, qualifiedName } from '../../model/name-syntax.ts';
import { type FieldError, forbidden, invalid, required, tooLong } from '../../status/field-error.ts';
import { checkEach, resultsOfEach } from '../../steps/replay.ts';
import { appendAll, invalidTexts } from './fields.ts';

export type Labels = Readonly<Record<string, string>>;

export const validateLabelName = (name: string, field: string): FieldError[] =>
  invalidTexts(field, name, qualifiedName(name));

export function validateLabels(labels: Labels | undefined, field: string): FieldError[] {
  if (labels === undefined) return [];
  return checkEach(labels, { place: field, items: () => Object.keys(labels) }, (key) => [
    ...qualifiedName(key).map((text) => invalid(field, key, text)),
    ...labelValue(labels[key]!).map((text) => invalid(field, labels[key], text)),
  ]);
}

/** Maximum size of all annotation keys and values of an object, in bytes. */
export const MAXIMUM_ANNOTATION_BYTES = 256 * 1024;

export function validateAnnotations(annotations: Labels | undefined, field: string): FieldError[] {
  if (annotations === undefined) return [];
  const errors = checkEach(annotations, { place: field, items: () => Object.keys(annotations) }, (key) =>
    invalidTexts(field, key, qualifiedName(key.toLowerCase())),
  );
  appendAll(errors, validateAnnotationSize(annotations, field));
  return errors;
}

/** Validates that annotations are not too large together. */
export function validateAnnotationSize(annotations: Labels, field: string): FieldError[] {
  const sizes = resultsOfEach(
    annotations,
    { place: `size of ${field}`, cost: 0.5, items: () => Object.keys(annotations) },
    (key) => Buffer.byteLength(key) + Buffer.byteLength(annotations[key]!),
  );
  const size = sizes.reduce((sum, one) => sum + one, 0);
  return size > MAXIMUM_ANNOTATION_BYTES ? [tooLong(field, MAXIMUM_ANNOTATION_BYTES)] : [];
}

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** @param allowInvalidValues skips the validation of values, for stored objects with invalid ones */
export function validateLabelSelector(
  selector: LabelSelector | undefined,
  field: string,
  { allowInvalidValues = false } = {},
): FieldError[] {
  if (selector === undefined) return [];
  return [
    ...validateLabels(selector.matchLabels, `${field}.matchLabels`),
    ...(selector.matchExpressions ?? []).flatMap((requirement, index) =>
      validateRequirement(requirement, `${field}.matchExpressions[${index}]`, allowInvalidValues),
    ),
  ];
}

/** Validates the operator of a selector's requirement, and whether it has values. */
export function validateOperator(operator: string, values: readonly string[], field: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? []
        : [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [
            forbidden(
              `${field}.values`,
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
            ),
          ];
    default:
      return [invalid(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}

function validateRequirement(
  { key = '', operator = '', values = [] }: { key?: string; operator?: string; values?: string[] },
  field: string,
  allowInvalidValues: boolean,
): FieldError[] {
  const errors = validateOperator(operator, values, field);
  errors.push(...validateLabelName(key, `${field}.key`));
  if (!allowInvalidValues)
    appendAll(
      errors,
      checkEach(values, { place: field }, (value, index) =>
        invalidTexts(`${field}.values[${index}]`, value, labelValue(value)),
      ),
    );
  return errors;
}

/** Returns whether a selector can be evaluated: operators, keys and values are valid. */
export function isUsableSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return (
    Object.keys(matchLabels).every((key) => isLabel(key, [matchLabels[key]!])) &&
    matchExpressions.every(({ operator = '', values = [], key = '' }) => {
      const needsValues = operator === 'In' || operator === 'NotIn';
      return OPERATORS.includes(operator) && values.length > 0 === needsValues && isLabel(key, values);
    })
  );
}

const isLabel = (key: string, values: readonly string[]): boolean =>
  qualifiedName(key).length === 0 && values.every((value) => labelValue(value).length === 0);

export const isEmptySelector = (selector: LabelSelector): boolean =>
  Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0;
