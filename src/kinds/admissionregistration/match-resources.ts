import type {
  MatchResources,
  ParamKind,
  ValidatingAdmissionPolicy,
} from '../../model/generated/admissionregistration-v1.ts';
import type { MutatingAdmissionPolicy } from '../../model/generated/admissionregistration-v1alpha1.ts';
import { dns1035Label, dns1123Subdomain } from '../../model/name-syntax.ts';
import { parseApiVersion } from '../../model/object.ts';
import { type FieldError, invalid, notSupported, required } from '../../status/field-error.ts';
import { invalidTexts, validateOneOf } from '../validation/fields.ts';
import { validateLabelSelector } from '../validation/labels.ts';
import { setRuleDefaults, validateNamedRule } from './rule-validation.ts';

export function setMatchResourcesDefaults(resources: MatchResources | undefined): void {
  if (resources === undefined) return;
  resources.matchPolicy ??= 'Equivalent';
  resources.namespaceSelector ??= {};
  resources.objectSelector ??= {};
  setRuleDefaults(resources.resourceRules);
  setRuleDefaults(resources.excludeResourceRules);
}

/** Sets the defaults that policies of both kinds have. */
export function setPolicyDefaults(policy: ValidatingAdmissionPolicy | MutatingAdmissionPolicy): void {
  policy.spec ??= {};
  policy.spec.failurePolicy ??= 'Fail';
  setMatchResourcesDefaults(policy.spec.matchConstraints);
}

export function validateMatchResources(resources: MatchResources, field: string): FieldError[] {
  const {
    namespaceSelector,
    objectSelector,
    resourceRules = [],
    excludeResourceRules = [],
    matchPolicy,
  } = resources;
  return [
    ...validateLabelSelector(namespaceSelector, `${field}.namespaceSelector`),
    ...validateLabelSelector(objectSelector, `${field}.objectSelector`),
    ...resourceRules.flatMap((rule, index) => validateNamedRule(rule, `${field}.resourceRules[${index}]`)),
    ...excludeResourceRules.flatMap((rule, index) =>
      validateNamedRule(rule, `${field}.excludeResourceRules[${index}]`),
    ),
    ...(matchPolicy === undefined
      ? [required(`${field}.matchPolicy`)]
      : validateOneOf(matchPolicy, ['Equivalent', 'Exact'], `${field}.matchPolicy`)),
  ];
}

const MUTATED_OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

/** Validates the operations of a mutating policy: deletions have no object to change. */
export function validateMutatedOperations(
  resources: MatchResources | undefined,
  field: string,
): FieldError[] {
  const operations = (resources?.resourceRules ?? []).flatMap((rule) => rule.operations ?? []);
  return operations.flatMap((operation) =>
    MUTATED_OPERATIONS.includes(operation)
      ? []
      : [notSupported(`${field}.resourceRules.operations`, operation, MUTATED_OPERATIONS)],
  );
}

/** Validates match constraints; at least one rule is required. */
export function validateMatchConstraints(
  constraints: MatchResources | undefined,
  field: string,
): FieldError[] {
  if (constraints === undefined) return [required(field)];
  const errors = validateMatchResources(constraints, field);
  return (constraints.resourceRules ?? []).length === 0
    ? [...errors, required(`${field}.resourceRules`)]
    : errors;
}

export function validateParamKind({ apiVersion = '', kind = '' }: ParamKind, field: string): FieldError[] {
  const path = `${field}.apiVersion`;
  const parsed = parseApiVersion(apiVersion);
  const versionErrors =
    apiVersion === ''
      ? [required(path)]
      : parsed === undefined
        ? [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
        : [
            ...(parsed.group === '' ? [] : invalidTexts(path, parsed.group, dns1123Subdomain(parsed.group))),
            ...(parsed.version === ''
              ? [invalid(path, apiVersion, 'version must be specified')]
              : invalidTexts(path, parsed.version, dns1035Label(parsed.version))),
          ];
  const kindTexts = dns1035Label(kind.toLowerCase());
  const kindErrors =
    kind === ''
      ? [required(`${field}.kind`)]
      : kindTexts.length === 0
        ? []
        : [
            invalid(
              `${field}.kind`,
              kind,
              `may have mixed case, but should otherwise match: ${kindTexts.join(',')}`,
            ),
          ];
  return [...versionErrors, ...kindErrors];
}
