import type { DeviceClass } from '../../../model/generated/resource-v1beta1.ts';
import type { FieldError } from '../../../status/field-error.ts';
import type { Strategy } from '../../strategy.ts';
import type { ExpressionChecker } from '../admissionregistration/expressions.ts';
import { checkExpressionsAsync } from '../admissionregistration/expressions-ahead.ts';
import { validateSelector } from './device-expressions.ts';
import { validateFew, validateOpaque } from './device-requests.ts';

const validate = (
  { spec = {} }: DeviceClass,
  _old: DeviceClass | undefined,
  checker: ExpressionChecker,
): FieldError[] => [
  ...validateFew(spec.selectors, 'spec.selectors', (selector, path) =>
    validateSelector(selector, path, checker),
  ),
  ...validateFew(spec.config, 'spec.config', ({ opaque }, field) =>
    validateOpaque(opaque, `${field}.opaque`),
  ),
];

export const deviceClassStrategy = (checker: ExpressionChecker): Strategy => ({
  ...checkExpressionsAsync(validate, checker),
  checksWholeMetadata: true,
  managesGeneration: true,
});
