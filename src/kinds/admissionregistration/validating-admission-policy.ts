import type { ValidatingAdmissionPolicy } from '../../model/generated/admissionregistration-v1.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { type FieldError, required } from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { validateConditions } from '../validation/conditions.ts';
import { validateOneOf } from '../validation/fields.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';
import { checkExpressions } from './expression-checks.ts';
import {
  COMPILING,
  conditionEnvironment,
  type ExpressionChecker,
  type ExpressionEnvironment,
} from './expressions.ts';
import { validateMatchConditions } from './match-conditions-validation.ts';
import { setPolicyDefaults, validateMatchConstraints, validateParamKind } from './match-resources.ts';
import { PARAM_KIND, paramKind } from './param-kind.ts';
import {
  validateAuditAnnotations,
  validateValidation,
  validateVariables,
  variablesOf,
} from './policy-parts-validation.ts';
import { storedExpressions } from './stored-expressions.ts';

const NOTHING = 'validations or auditAnnotations must contain at least one item';

function validate(
  { metadata, spec = {} }: ValidatingAdmissionPolicy,
  old: ValidatingAdmissionPolicy | undefined,
  checker: ExpressionChecker,
): FieldError[] {
  const {
    failurePolicy,
    paramKind,
    matchConstraints,
    matchConditions,
    variables,
    validations = [],
    auditAnnotations = [],
  } = spec;
  const hasParams = paramKind !== undefined;
  const stored = storedExpressions(old?.spec);
  const environment: ExpressionEnvironment = {
    hasParams,
    hasAuthorizer: true,
    variables: variablesOf(variables),
    results: ['bool'],
    stored: stored.variables,
  };
  const keepsConditions =
    old !== undefined &&
    semanticEqual(paramKind, old.spec?.paramKind) &&
    semanticEqual(matchConditions, old.spec?.matchConditions);
  return [
    ...validateOneOf(failurePolicy, ['Fail', 'Ignore'], 'spec.failurePolicy'),
    ...(paramKind === undefined ? [] : validateParamKind(paramKind, 'spec.paramKind')),
    ...validateMatchConstraints(matchConstraints, 'spec.matchConstraints'),
    ...(keepsConditions
      ? []
      : validateMatchConditions(
          matchConditions,
          'spec.matchConditions',
          conditionEnvironment(stored.conditions, hasParams),
          checker,
        )),
    ...validateVariables('spec.variables', environment, checker),
    ...(validations.length + auditAnnotations.length === 0
      ? [required('spec.validations', NOTHING), required('spec.auditAnnotations', NOTHING)]
      : []),
    ...checkEach(validations, { place: 'validations' }, (validation, index) =>
      validateValidation(validation, `spec.validations[${index}]`, environment, stored, checker),
    ),
    ...validateAuditAnnotations(
      auditAnnotations,
      'spec.auditAnnotations',
      metadata?.name ?? '',
      { ...environment, stored: stored.annotations },
      checker,
    ),
  ];
}

function validateStatus(
  { status = {} }: ValidatingAdmissionPolicy,
  _old: ValidatingAdmissionPolicy,
  context: RuleContext,
): FieldError[] {
  const field = 'status.typeChecking.expressionWarnings';
  return [
    ...(status.typeChecking?.expressionWarnings ?? []).flatMap(({ fieldRef = '', warning = '' }, index) => [
      ...(warning === '' ? [required(`${field}[${index}].warning`)] : []),
      ...(fieldRef.trim() === '' ? [required(`${field}[${index}].fieldRef`)] : []),
    ]),
    ...validateConditions(status.conditions ?? [], 'status.conditions', context),
  ];
}

export const validatingAdmissionPolicyStrategy = (checker: ExpressionChecker): Strategy => ({
  defaulting: { byVersion: { v1: setPolicyDefaults, v1beta1: setPolicyDefaults } },
  ...checkExpressions(validate, checker),
  validateSubresource: { status: validateStatus },
  managesGeneration: true,
  requiresResourceVersion: true,
  metadata: {
    allowsUnqualifiedFinalizers: true,
    checks: { update: ['whole'] },
  },
  status: {
    updatesMetadata: false,
    applyCreates: true,
  },
});

export const validatingAdmissionPolicies = defineResource({
  group: 'admissionregistration.k8s.io',
  versions: ['v1', { name: 'v1beta1', until: '1.34', deprecation: { since: '1.31', unavailable: '1.34' } }],
  resource: 'validatingadmissionpolicies',
  kind: 'ValidatingAdmissionPolicy',
  categories: ['api-extensions'],
  scope: 'Cluster',
  subresources: ['status'],
  strategy: validatingAdmissionPolicyStrategy(COMPILING),
  table: table<ValidatingAdmissionPolicy>(
    [NAME, column('Validations', 'Number of rules.', 'integer'), PARAM_KIND, AGE],
    (object) => [
      nameOf(object),
      object.spec?.validations?.length ?? 0,
      paramKind(object.spec?.paramKind),
      ageOf(object),
    ],
  ),
});
