import type { DeviceClass } from '../../model/generated/resource-v1.ts';
import { isExtendedResource } from '../../model/resource-names.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { checkExpressions } from '../admissionregistration/expression-checks.ts';
import type { ExpressionChecker } from '../admissionregistration/expressions.ts';
import { defineResource } from '../builtin-resource.ts';
import { dropGatedFields, type GatedField } from '../gated-fields.ts';
import type { Strategy } from '../strategy.ts';
import { NAME_AND_AGE } from '../tables/define.ts';
import { COMPILING_SELECTORS, validateSelector } from './device-expressions.ts';
import { validateBoundedList, validateOpaque } from './device-requests.ts';
import { DEVICE_VERSIONS } from './device-versions.ts';

const validate = (
  { spec = {} }: DeviceClass,
  checker: ExpressionChecker,
  context: RuleContext,
): FieldError[] => [
  ...validateBoundedList(spec.selectors, 'spec.selectors', (selector, path) =>
    validateSelector(selector, path, checker),
  ),
  ...validateBoundedList(spec.config, 'spec.config', ({ opaque }, field) =>
    validateOpaque(opaque, `${field}.opaque`, context),
  ),
  ...(spec.extendedResourceName === undefined || isExtendedResource(spec.extendedResourceName)
    ? []
    : [
        invalid(
          'spec.extendedResourceName',
          spec.extendedResourceName,
          'must be a valid extended resource name',
        ),
      ]),
];

/** kube-apiserver validates a changed class twice. */
const validateEach = (
  object: DeviceClass,
  old: DeviceClass | undefined,
  checker: ExpressionChecker,
  context: RuleContext,
): FieldError[] => [
  ...validate(object, checker, context),
  ...(old === undefined ? [] : validate(object, checker, context)),
];

const GATED_FIELDS: readonly GatedField<DeviceClass>[] = [
  {
    since: '1.34',
    gate: 'DRAExtendedResource',
    member: 'extendedResourceName',
    parents: ({ spec }) => [spec],
  },
];

export const deviceClassStrategy = (checker: ExpressionChecker): Strategy => ({
  ...checkExpressions(validateEach, checker),
  metadata: { ignoresPrefix: { since: '1.35' }, checks: { update: ['whole', 'change'] } },
  deletion: { returnsObject: true },
  managesGeneration: true,
  dropDisabledFields: (object, old, context) =>
    dropGatedFields(GATED_FIELDS, object as DeviceClass, old as DeviceClass | undefined, context),
});

export const deviceClasses = defineResource({
  group: 'resource.k8s.io',
  versions: DEVICE_VERSIONS,
  resource: 'deviceclasses',
  kind: 'DeviceClass',
  scope: 'Cluster',
  strategy: deviceClassStrategy(COMPILING_SELECTORS),
  table: NAME_AND_AGE,
});
