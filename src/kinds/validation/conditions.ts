import type { Condition } from '../../model/generated/meta-v1.ts';
import type { Life } from '../../model/life.ts';
import { patternMessage } from '../../model/name-syntax.ts';
import type { RuleContext } from '../../model/rule-context.ts';
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

/** Returns why the reason of a condition has a wrong form. */
export const conditionReasonTexts = (reason: string): string[] =>
  reasonPattern.test(reason) ? [] : [reasonText];

/** The releases that require a type and a status, and name a repeated condition itself. */
const REQUIRES_TYPES: Life = { since: '1.37' };

/** Validates conditions: types are unique, reason and transition time are required. */
export function validateConditions(
  conditions: readonly Condition[],
  field: string,
  { has }: Pick<RuleContext, 'has'>,
): FieldError[] {
  const requires = has(REQUIRES_TYPES);
  const repeatedTypes = findDuplicates(conditions, ({ type = '' }) => type);
  return checkEach(conditions, { place: field, cost: 3 }, (condition, index) => {
    const { type = '' } = condition;
    return [
      ...(repeatedTypes.has(index)
        ? [duplicate(requires ? `${field}[${index}]` : `${field}[${index}].type`, type)]
        : []),
      ...validateCondition(condition, `${field}[${index}]`, requires),
    ];
  });
}

function validateCondition(
  { type = '', status, observedGeneration = 0, lastTransitionTime, reason = '', message = '' }: Condition,
  field: string,
  requires: boolean,
): FieldError[] {
  const errors = [
    ...(requires && type === ''
      ? [required(`${field}.type`, 'is required')]
      : validateLabelName(type, `${field}.type`)),
    ...(requires && !status
      ? [required(`${field}.status`)]
      : validateOneOf(status, ['False', 'True', 'Unknown'], `${field}.status`)),
  ];
  if (observedGeneration < 0)
    errors.push(
      invalid(`${field}.observedGeneration`, observedGeneration, 'must be greater than or equal to zero'),
    );
  if (lastTransitionTime === undefined || lastTransitionTime === null)
    errors.push(required(`${field}.lastTransitionTime`, 'must be set'));
  if (reason === '') errors.push(required(`${field}.reason`, 'must be set'));
  else {
    errors.push(...invalidTexts(`${field}.reason`, reason, conditionReasonTexts(reason)));
    if (Buffer.byteLength(reason) > MAXIMUM_REASON_LENGTH)
      errors.push(tooLong(`${field}.reason`, MAXIMUM_REASON_LENGTH));
  }
  if (Buffer.byteLength(message) > MAXIMUM_MESSAGE_LENGTH)
    errors.push(tooLong(`${field}.message`, MAXIMUM_MESSAGE_LENGTH));
  return errors;
}
