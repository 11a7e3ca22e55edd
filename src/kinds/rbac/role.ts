import type { ClusterRole, Role } from '../../model/generated/rbac-v1.ts';
import { nameIsPathSegment } from '../../model/name-syntax.ts';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { validateLabelSelector } from '../validation/labels.ts';
import { withEscalationCheck } from './escalation-check.ts';
import { validateRules } from './rules-validation.ts';
import { validatedTwice } from './validate-twice.ts';

const validateRole = ({ rules }: Role): FieldError[] => validateRules(rules, true);

export const roleStrategy: Strategy = {
  metadata: {
    validateName: nameIsPathSegment,
    checks: { update: ['whole', 'whole', 'change'] },
  },
  validate: validateRole,
  validateUpdate: (role: Role) => validatedTwice(validateRole(role)),
  createsOnUpdate: true,
};

function validateClusterRole({ rules, aggregationRule }: ClusterRole): FieldError[] {
  return [
    ...validateRules(rules, false),
    ...(aggregationRule === undefined ? [] : validateAggregation(aggregationRule)),
  ];
}

function validateAggregation({
  clusterRoleSelectors = [],
}: NonNullable<ClusterRole['aggregationRule']>): FieldError[] {
  const field = 'aggregationRule.clusterRoleSelectors';
  if (clusterRoleSelectors.length === 0)
    return [required(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  return clusterRoleSelectors.flatMap((selector, index) => {
    const errors = validateLabelSelector(selector, `${field}[${index}]`);
    // kube-apiserver also reports the whole selector when a part of it is invalid.
    return errors.length === 0
      ? []
      : [...errors, invalid(`${field}[${index}]`, undefined, 'invalid label selector.')];
  });
}

export const clusterRoleStrategy: Strategy = {
  metadata: {
    validateName: nameIsPathSegment,
    checks: { update: ['whole', 'whole', 'change'] },
  },
  validate: validateClusterRole,
  validateUpdate: (role: ClusterRole) => validatedTwice(validateClusterRole(role)),
  createsOnUpdate: true,
};

export const clusterRoles = defineResource({
  group: 'rbac.authorization.k8s.io',
  versions: ['v1'],
  resource: 'clusterroles',
  kind: 'ClusterRole',
  scope: 'Cluster',
  strategy: withEscalationCheck('ClusterRole', clusterRoleStrategy),
});

export const roles = defineResource({
  group: 'rbac.authorization.k8s.io',
  versions: ['v1'],
  resource: 'roles',
  kind: 'Role',
  strategy: withEscalationCheck('Role', roleStrategy),
});
