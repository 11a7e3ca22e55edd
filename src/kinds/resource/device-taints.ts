import type { DeviceTaint, DeviceToleration } from '../../model/generated/resource-v1.ts';
import type { Life } from '../../model/life.ts';
import { labelValue } from '../../model/name-syntax.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { invalidTexts, validateOneOf } from '../validation/fields.ts';
import { validateLabelName } from '../validation/labels.ts';

/** The releases with taints that only inform. */
const HAS_NO_EFFECT: Life = { since: '1.35' };

const effectsIn = ({ has }: RuleContext): string[] =>
  has(HAS_NO_EFFECT) ? ['NoExecute', 'NoSchedule', 'None'] : ['NoExecute', 'NoSchedule'];

/** Validates the taint of a device. */
export function validateDeviceTaint(
  { key = '', value = '', effect = '' }: DeviceTaint,
  field: string,
  context: RuleContext,
): FieldError[] {
  return [
    ...validateLabelName(key, `${field}.key`),
    ...(value === '' ? [] : invalidTexts(`${field}.value`, value, labelValue(value))),
    ...(effect === ''
      ? [required(`${field}.effect`)]
      : validateOneOf(effect, effectsIn(context), `${field}.effect`)),
  ];
}

/** Validates what a request tolerates. */
export function validateDeviceToleration(
  { key = '', operator = '', value = '', effect = '' }: DeviceToleration,
  field: string,
  context: RuleContext,
): FieldError[] {
  return [
    ...(key === '' ? [] : validateLabelName(key, `${field}.key`)),
    ...validateOperator(operator, value, field),
    ...(effect === '' ? [] : validateOneOf(effect, effectsIn(context), `${field}.effect`)),
  ];
}

function validateOperator(operator: string, value: string, field: string): FieldError[] {
  if (operator === '') return [required(`${field}.operator`)];
  if (operator === 'Equal') return invalidTexts(`${field}.value`, value, labelValue(value));
  if (operator !== 'Exists') return validateOneOf(operator, ['Equal', 'Exists'], `${field}.operator`);
  return value === '' ? [] : [invalid(`${field}.value`, value, 'must be empty for operator `Exists`')];
}
