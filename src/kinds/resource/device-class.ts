import type { DeviceClass } from '../../model/generated/resource-v1beta1.ts';
import type { FieldError } from '../../status/field-error.ts';
import { checkExpressions } from '../admissionregistration/expression-checks.ts';
import type { ExpressionChecker } from '../admissionregistration/expressions.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { NAME_AND_AGE } from '../tables/define.ts';
import { COMPILING_SELECTORS, validateSelector } from './device-expressions.ts';
import { validateBoundedList, validateOpaque } from './device-requests.ts';
import { DEVICE_VERSIONS } from './device-versions.ts';

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

/** kube-apiserver validates a changed class twice. */
const validateEach = (
  object: DeviceClass,
  old: DeviceClass | undefined,
  checker: ExpressionChecker,
): FieldError[] => [
  ...validate(object, old, checker),
  ...(old === undefined ? [] : validate(object, old, checker)),
];

export const deviceClassStrategy = (checker: ExpressionChecker): Strategy => ({
  ...checkExpressions(validateEach, checker),
  metadata: { checks: { update: ['whole', 'change'] } },
  deletion: { returnsObject: true },
  managesGeneration: true,
});

export const deviceClasses = defineResource({
  group: 'resource.k8s.io',
  versions: DEVICE_VERSIONS,
  resource: 'deviceclasses',
  kind: 'DeviceClass',
  scope: 'Cluster',
  strategy: deviceClassStrategy(COMPILING_SELECTORS),
  table: NAME_AND_AGE,
  descriptions: {
    DeviceClass: 'Class of devices with selectors and configuration.',
  },
});
