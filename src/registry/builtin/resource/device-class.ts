import type { DeviceClass } from '../../../model/generated/resource-v1beta1.ts';
import type { FieldError } from '../../../status/field-error.ts';
import type { Strategy } from '../../strategy.ts';
import { checkExpressionsAsync } from '../admissionregistration/async-expression-checks.ts';
import type { ExpressionChecker } from '../admissionregistration/expressions.ts';
import { validateSelector } from './device-expressions.ts';
import { validateBoundedList, validateOpaque } from './device-requests.ts';

const validate = (
  { spec = {} }: DeviceClass,
  _old: DeviceClass | undefined,
  checker: ExpressionChecker,
): FieldError[] => [
  ...validateBoundedList(spec.selectors, 'spec.selectors', (selector, path) =>
    validateSelector(selector, path, checker),
  ),
  ...validateBoundedList(spec.config, 'spec.config', ({ opaque }, field) =>
    validateOpaque(opaque, `${field}.opaque`),
  ),
];

export const deviceClassStrategy = (checker: ExpressionChecker): Strategy => ({
  ...checkExpressionsAsync(validate, checker),
  revalidatesMetadataOnUpdate: true,
  managesGeneration: true,
});
