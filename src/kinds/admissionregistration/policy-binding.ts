import type {
  ParamRef,
  ValidatingAdmissionPolicyBinding,
} from '../../model/generated/admissionregistration-v1.ts';
import { dns1123Subdomain, nameIsPathSegment } from '../../model/name-syntax.ts';
import { selectorMessage } from '../../model/object-label-selector.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalidFormatted,
  required,
} from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { findDuplicateStrings } from '../validation/duplicates.ts';
import { invalidTexts, validateOneOf } from '../validation/fields.ts';
import { formatGoList, formatGoText } from '../validation/format-struct.ts';
import { validateLabelSelector } from '../validation/labels.ts';
import {
  setMatchResourcesDefaults,
  validateMatchResources,
  validateMutatedOperations,
} from './match-resources.ts';
import { mutatingPolicyVersions } from './mutating-policy-versions.ts';

const ACTIONS = ['Audit', 'Deny', 'Warn'];
const EXCLUSIVE = 'name and selector are mutually exclusive';
const CONTRADICTION =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

function validateSpec({ spec = {} }: ValidatingAdmissionPolicyBinding): FieldError[] {
  const { policyName = '', paramRef, matchResources } = spec;
  return [
    ...(policyName === ''
      ? [required('spec.policyName')]
      : invalidTexts('spec.policyName', policyName, dns1123Subdomain(policyName))),
    ...(paramRef === undefined ? [] : validateParamRef(paramRef, 'spec.paramRef')),
    ...(matchResources === undefined ? [] : validateMatchResources(matchResources, 'spec.matchResources')),
  ];
}

/** Validates a parameter reference: either a name or a selector. */
function validateParamRef(
  { name = '', selector, parameterNotFoundAction: action }: ParamRef,
  field: string,
): FieldError[] {
  const errors: FieldError[] =
    name === '' && selector === undefined
      ? [required(field, 'one of name or selector must be specified')]
      : name !== '' && selector !== undefined
        ? [forbidden(`${field}.name`, EXCLUSIVE), forbidden(`${field}.selector`, EXCLUSIVE)]
        : [];
  return [
    ...(name === '' ? [] : invalidTexts(`${field}.name`, name, nameIsPathSegment(name, false))),
    ...errors,
    ...validateLabelSelector(selector, `${field}.selector`),
    ...(action
      ? validateOneOf(action, ['Deny', 'Allow'], `${field}.parameterNotFoundAction`)
      : [required(`${field}.parameterNotFoundAction`)]),
  ];
}

function validateActions(actions: readonly string[], field: string): FieldError[] {
  if (actions.length === 0) return [required(field, 'at least one validation action is required')];
  const repeated = findDuplicateStrings(actions);
  const contradicts = actions.includes('Deny') && actions.includes('Warn');
  return [
    ...actions.flatMap((action, index) => [
      ...validateOneOf(action, ACTIONS, `${field}[${index}]`),
      ...(repeated.has(index) ? [duplicate(`${field}[${index}]`, action)] : []),
    ]),
    ...(contradicts
      ? [
          invalidFormatted(
            field,
            formatGoList('admissionregistration.ValidationAction', actions, formatGoText),
            CONTRADICTION,
          ),
        ]
      : []),
  ];
}

const validate = (object: ValidatingAdmissionPolicyBinding): FieldError[] => [
  ...validateSpec(object),
  ...validateActions(object.spec?.validationActions ?? [], 'spec.validationActions'),
];

function setDefaults({ spec }: ValidatingAdmissionPolicyBinding): void {
  setMatchResourcesDefaults(spec?.matchResources);
}

export const validatingAdmissionPolicyBindingStrategy: Strategy = {
  defaulting: { byVersion: { v1: setDefaults, v1beta1: setDefaults } },
  validate,
  validateUpdate: validate,
  managesGeneration: true,
  requiresResourceVersion: true,
  metadata: {
    allowsUnqualifiedFinalizers: true,
    checks: { update: ['whole'] },
  },
};

function setMutatingDefaults(object: ValidatingAdmissionPolicyBinding): void {
  setDefaults(object);
  if (object.spec?.paramRef !== undefined) object.spec.paramRef.parameterNotFoundAction ??= 'Deny';
}

const validateMutating = (object: ValidatingAdmissionPolicyBinding): FieldError[] => [
  ...validateSpec(object),
  ...validateMutatedOperations(object.spec?.matchResources, 'spec.matchResources'),
];

/** Bindings of mutating policies have no actions: a failing policy rejects the request. */
export const mutatingAdmissionPolicyBindingStrategy: Strategy = {
  defaulting: { byVersion: { v1alpha1: setMutatingDefaults } },
  validate: validateMutating,
  validateUpdate: validateMutating,
  managesGeneration: true,
  requiresResourceVersion: true,
  metadata: {
    allowsUnqualifiedFinalizers: true,
    checks: { update: ['whole'] },
  },
};

/** The parameters of a binding; those without a namespace may be in any one. */
function parametersCell({ name, namespace, selector }: ParamRef): string {
  if (name) return `${namespace || '*'}/${name}`;
  return selector === undefined ? '<unset>' : selectorMessage(selector);
}

const bindingTable = table<ValidatingAdmissionPolicyBinding>(
  [
    NAME,
    column('PolicyName', 'The policy that is bound.'),
    column('ParamRef', 'Reference to the parameters.'),
    AGE,
  ],
  (object) => {
    const { policyName = '', paramRef = {} } = object.spec ?? {};
    return [nameOf(object), policyName, parametersCell(paramRef), ageOf(object)];
  },
);

export const validatingAdmissionPolicyBindings = defineResource({
  group: 'admissionregistration.k8s.io',
  versions: ['v1', { name: 'v1beta1', until: '1.34', deprecation: { since: '1.31', unavailable: '1.34' } }],
  resource: 'validatingadmissionpolicybindings',
  kind: 'ValidatingAdmissionPolicyBinding',
  categories: ['api-extensions'],
  scope: 'Cluster',
  strategy: validatingAdmissionPolicyBindingStrategy,
  table: bindingTable,
});

export const mutatingAdmissionPolicyBindings = defineResource({
  group: 'admissionregistration.k8s.io',
  versions: mutatingPolicyVersions('MutatingAdmissionPolicyBinding'),
  resource: 'mutatingadmissionpolicybindings',
  kind: 'MutatingAdmissionPolicyBinding',
  categories: ['api-extensions'],
  scope: 'Cluster',
  strategy: mutatingAdmissionPolicyBindingStrategy,
  table: bindingTable,
});
