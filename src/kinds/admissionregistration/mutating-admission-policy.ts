import type {
  MutatingAdmissionPolicy,
  Mutation,
} from '../../model/generated/admissionregistration-v1alpha1.ts';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { validateOneOf } from '../validation/fields.ts';
import { checkExpressions } from './expression-checks.ts';
import {
  COMPILING,
  conditionEnvironment,
  type ExpressionChecker,
  type ExpressionEnvironment,
  trimming,
  validateExpression,
} from './expressions.ts';
import { validateMatchConditions } from './match-conditions-validation.ts';
import {
  setPolicyDefaults,
  validateMatchConstraints,
  validateMutatedOperations,
  validateParamKind,
} from './match-resources.ts';
import { mutatingPolicyVersions } from './mutating-policy-versions.ts';
import { PARAM_KIND, paramKind } from './param-kind.ts';
import { validateVariables, variablesOf } from './policy-parts-validation.ts';
import { storedExpressions, storedMutations } from './stored-expressions.ts';

/** Member of each patch type. */
const PATCHES = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const;
/** Result type of the expression of each patch type. */
const RESULTS = { ApplyConfiguration: 'Object', JSONPatch: 'JSONPatch' } as const;
type PatchType = keyof typeof PATCHES;

function validateMutation(
  mutation: Mutation,
  field: string,
  environment: Omit<ExpressionEnvironment, 'stored' | 'results'>,
  old: readonly Mutation[] | undefined,
  checker: ExpressionChecker,
): FieldError[] {
  const { patchType = '' } = mutation;
  if (patchType === '') return [required(`${field}.patchType`)];
  if (!Object.hasOwn(PATCHES, patchType))
    return validateOneOf(patchType, Object.keys(PATCHES), `${field}.patchType`);
  const member = PATCHES[patchType as PatchType];
  const other = member === 'jsonPatch' ? 'applyConfiguration' : 'jsonPatch';
  const patch = mutation[member];
  return [
    ...(patch === undefined
      ? [required(`${field}.${member}`, `must be specified when patchType is ${patchType}`)]
      : validateExpression(
          patch.expression,
          `${field}.${member}.expression`,
          {
            ...environment,
            results: RESULTS[patchType as PatchType],
            stored: storedMutations(old, member),
          },
          trimming(checker),
        )),
    ...(mutation[other] === undefined
      ? []
      : [invalid(`${field}.${other}`, `{${other}}`, `must not be specified when patchType is ${patchType}`)]),
  ];
}

function validate(
  { spec = {} }: MutatingAdmissionPolicy,
  old: MutatingAdmissionPolicy | undefined,
  checker: ExpressionChecker,
): FieldError[] {
  const {
    failurePolicy,
    paramKind,
    matchConstraints,
    matchConditions,
    variables,
    mutations = [],
    reinvocationPolicy,
  } = spec;
  const hasParams = paramKind !== undefined;
  const stored = storedExpressions({
    matchConditions: old?.spec?.matchConditions,
    variables: old?.spec?.variables,
  });
  const environment: ExpressionEnvironment = {
    hasParams,
    hasAuthorizer: true,
    variables: variablesOf(variables),
    results: ['bool'],
    stored: stored.variables,
  };
  return [
    ...validateOneOf(failurePolicy, ['Fail', 'Ignore'], 'spec.failurePolicy'),
    ...(paramKind === undefined ? [] : validateParamKind(paramKind, 'spec.paramKind')),
    ...validateMatchConstraints(matchConstraints, 'spec.matchConstraints'),
    ...validateMutatedOperations(matchConstraints, 'spec.matchConstraints'),
    ...validateMatchConditions(
      matchConditions,
      'spec.matchConditions',
      conditionEnvironment(stored.conditions, hasParams),
      checker,
    ),
    ...validateVariables('spec.variables', environment, checker),
    ...(mutations.length === 0
      ? [required('spec.mutations', 'mutations must contain at least one item')]
      : []),
    ...checkEach(mutations, { place: 'mutations' }, (mutation, index) =>
      validateMutation(mutation, `spec.mutations[${index}]`, environment, old?.spec?.mutations, checker),
    ),
    ...(reinvocationPolicy
      ? validateOneOf(reinvocationPolicy, ['IfNeeded', 'Never'], 'spec.reinvocationPolicy')
      : [required('spec.reinvocationPolicy')]),
  ];
}

export const mutatingAdmissionPolicyStrategy = (checker: ExpressionChecker): Strategy => ({
  defaulting: { byVersion: { v1alpha1: setPolicyDefaults } },
  ...checkExpressions(validate, checker),
  managesGeneration: true,
  requiresResourceVersion: true,
  metadata: {
    allowsUnqualifiedFinalizers: true,
    checks: { update: ['whole'] },
  },
});

export const mutatingAdmissionPolicies = defineResource({
  group: 'admissionregistration.k8s.io',
  versions: mutatingPolicyVersions('MutatingAdmissionPolicy'),
  resource: 'mutatingadmissionpolicies',
  kind: 'MutatingAdmissionPolicy',
  categories: ['api-extensions'],
  scope: 'Cluster',
  strategy: mutatingAdmissionPolicyStrategy(COMPILING),
  table: table<MutatingAdmissionPolicy>(
    [NAME, column('Mutations', 'Number of mutations.', 'integer'), PARAM_KIND, AGE],
    (object) => [
      nameOf(object),
      object.spec?.mutations?.length ?? 0,
      paramKind(object.spec?.paramKind),
      ageOf(object),
    ],
  ),
});
