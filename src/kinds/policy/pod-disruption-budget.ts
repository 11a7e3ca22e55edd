import type { PodDisruptionBudget, PodDisruptionBudgetSpec } from '../../model/generated/policy-v1.ts';
import { nameIsPathSegment } from '../../model/name-syntax.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { type FieldError, invalidFormatted } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { validateConditions } from '../validation/conditions.ts';
import { validateNonNegative, validateOneOf } from '../validation/fields.ts';
import { formatGoPointer, formatGoStruct } from '../validation/format-struct.ts';
import { validateAtMostHundredPercent, validateIntOrPercent } from '../validation/int-or-percent.ts';
import { validateLabelSelector } from '../validation/labels.ts';

const formatSpec = ({
  minAvailable,
  selector,
  maxUnavailable,
  unhealthyPodEvictionPolicy,
}: PodDisruptionBudgetSpec): string =>
  formatGoStruct('policy.PodDisruptionBudgetSpec', {
    MinAvailable: formatGoPointer('intstr.IntOrString', minAvailable),
    Selector: formatGoPointer('v1.LabelSelector', selector),
    MaxUnavailable: formatGoPointer('intstr.IntOrString', maxUnavailable),
    UnhealthyPodEvictionPolicy: formatGoPointer(
      'policy.UnhealthyPodEvictionPolicyType',
      unhealthyPodEvictionPolicy,
    ),
  });

function validateBound(bound: number | string | undefined, field: string): FieldError[] {
  return bound === undefined
    ? []
    : [...validateIntOrPercent(bound, field), ...validateAtMostHundredPercent(bound, field)];
}

/** Rejects a budget with both bounds. */
function validate({ spec = {} }: PodDisruptionBudget): FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = spec;
  const both = minAvailable !== undefined && maxUnavailable !== undefined;
  return [
    ...(both
      ? [invalidFormatted('spec', formatSpec(spec), 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...validateBound(minAvailable, 'spec.minAvailable'),
    ...validateBound(maxUnavailable, 'spec.maxUnavailable'),
    ...validateLabelSelector(selector, 'spec.selector'),
    ...(unhealthyPodEvictionPolicy === undefined
      ? []
      : validateOneOf(
          unhealthyPodEvictionPolicy,
          ['AlwaysAllow', 'IfHealthyBudget'],
          'spec.unhealthyPodEvictionPolicy',
        )),
  ];
}

function validateStatus(
  { status = {} }: PodDisruptionBudget,
  _old: PodDisruptionBudget,
  context: RuleContext,
): FieldError[] {
  return [
    ...validateConditions(status.conditions ?? [], 'status.conditions', context),
    ...(['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const).flatMap((name) =>
      validateNonNegative(status[name], `status.${name}`),
    ),
  ];
}

export const podDisruptionBudgetStrategy: Strategy = {
  metadata: {
    // The name only has to satisfy the general rules.
    validateName: nameIsPathSegment,
    allowsUnqualifiedFinalizers: true,
    checks: { update: [], through: { status: [] } },
  },
  validate,
  validateUpdate: validate,
  validateSubresource: { status: validateStatus },
  managesGeneration: true,
  requiresResourceVersion: true,
};

const orNotApplicable = (value: number | string | undefined): string =>
  value === undefined ? 'N/A' : String(value);

export const podDisruptionBudgets = defineResource({
  group: 'policy',
  versions: ['v1'],
  resource: 'poddisruptionbudgets',
  kind: 'PodDisruptionBudget',
  shortNames: ['pdb'],
  subresources: ['status'],
  strategy: podDisruptionBudgetStrategy,
  table: table<PodDisruptionBudget>(
    [
      NAME,
      column('Min Available', 'Pods that must stay available.'),
      column('Max Unavailable', 'Pods that may be unavailable.'),
      column('Allowed Disruptions', 'Pods that may be evicted now.', 'integer'),
      AGE,
    ],
    (object) => [
      nameOf(object),
      orNotApplicable(object.spec?.minAvailable),
      orNotApplicable(object.spec?.maxUnavailable),
      object.status?.disruptionsAllowed ?? 0,
      ageOf(object),
    ],
  ),
});
