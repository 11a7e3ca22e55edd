import type { Condition } from '../../model/generated/meta-v1.ts';
import { patternMessage } from '../../model/name-syntax.ts';
import { duplicate, type FieldError, invalid, required, tooLong } from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';
import { findDuplicates } from './duplicates.ts';
import { invalidTexts, validateOneOf } from './fields.ts';
import { validateLabelName } from './labels.ts';

const REASON = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const reasonPattern = new RegExp(`^${REASON}$`);
const reasonText = patternMessage(
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  REASON,
  'my_name',
  'MY_NAME',
  'MyName',
  'ReasonA,ReasonB',
  'ReasonA:ReasonB',
);
const MAXIMUM_REASON_LENGTH = 1024;
const MAXIMUM_MESSAGE_LENGTH = 32_768;

/** Validates conditions: types are unique, reason and transition time are required. */
export function validateConditions(conditions: readonly Condition[], field: string): FieldError[] {
  const repeatedTypes = findDuplicates(conditions, ({ type = '' }) => type);
  return checkEach(conditions, { place: field, cost: 3 }, (condition, index) => {
    const { type = '' } = condition;
    return [
      ...(repeatedTypes.has(index) ? [duplicate(`${field}[${index}].type`, type)] : []),
      ...validateCondition(condition, `${field}[${index}]`),
    ];
  });
}

function validateCondition(
  { type = '', status, observedGeneration = 0, lastTransitionTime, reason = '', message = '' }: Condition,
  field: string,
): FieldError[] {
  const errors = [
    ...validateLabelName(type, `${field}.type`),
    ...validateOneOf(status, ['False', 'True', 'Unknown'], `${field}.status`),
  ];
  if (observedGeneration < 0)
    errors.push(
      invalid(`${field}.observedGeneration`, observedGeneration, 'must be greater than or equal to zero'),
    );
  if (lastTransitionTime === undefined || lastTransitionTime === null)
    errors.push(required(`${field}.lastTransitionTime`, 'must be set'));
  if (reason === '') errors.push(required(`${field}.reason`, 'must be set'));
  else {
    if (!reasonPattern.test(reason)) errors.push(...invalidTexts(`${field}.reason`, reason, [reasonText]));
    if (Buffer.byteLength(reason) > MAXIMUM_REASON_LENGTH)
      errors.push(tooLong(`${field}.reason`, MAXIMUM_REASON_LENGTH));
  }
  if (Buffer.byteLength(message) > MAXIMUM_MESSAGE_LENGTH)
    errors.push(tooLong(`${field}.message`, MAXIMUM_MESSAGE_LENGTH));
  return errors;
}
