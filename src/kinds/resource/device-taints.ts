import type { DeviceTaint, DeviceToleration } from '../../model/generated/resource-v1.ts';
import type { Life } from '../../model/life.ts';
import { labelValue } from '../../model/name-syntax.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import type { StrategyContext } from '../strategy.ts';
import { invalidTexts, validateOneOf } from '../validation/fields.ts';
import { validateLabelName } from '../validation/labels.ts';

/** The releases with taints that only inform. */
const HAS_NO_EFFECT: Life = { since: '1.35' };

const effectsIn = ({ has }: RuleContext): string[] =>
  has(HAS_NO_EFFECT) ? ['NoExecute', 'NoSchedule', 'None'] : ['NoExecute', 'NoSchedule'];

/** The releases that keep an effect which they do not know. */
const CHECKS_CHANGED_EFFECT: Life = { since: '1.35' };

/**
 * Validates the taint of a device.
 * @param old the taint that it replaces
 */
export function validateDeviceTaint(
  { key = '', value = '', effect = '' }: DeviceTaint,
  field: string,
  context: RuleContext,
  old?: DeviceTaint,
): FieldError[] {
  const isKept = context.has(CHECKS_CHANGED_EFFECT) && old?.effect === effect;
  return [
    ...validateLabelName(key, `${field}.key`),
    ...(value === '' ? [] : invalidTexts(`${field}.value`, value, labelValue(value))),
    ...(isKept ? [] : validateEffect(effect, `${field}.effect`, context)),
  ];
}

const validateEffect = (effect: string, field: string, context: RuleContext): FieldError[] =>
  effect === '' ? [required(field)] : validateOneOf(effect, effectsIn(context), field);

/** Sets `timeAdded` of a taint that has none. */
export function setTimeAdded(taint: DeviceTaint | undefined, { now }: Pick<StrategyContext, 'now'>): void {
  if (taint !== undefined) taint.timeAdded ??= now();
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
