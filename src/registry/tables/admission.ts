import type {
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../model/generated/admissionregistration-v1.ts';
import type { MutatingAdmissionPolicy } from '../../model/generated/admissionregistration-v1alpha1.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from './define.ts';

/** Table of mutating and validating webhook configurations. */
export const webhookConfigurations = table<MutatingWebhookConfiguration>(
  [NAME, column('Webhooks', 'Number of webhooks.', 'integer'), AGE],
  (object) => [nameOf(object), object.webhooks?.length ?? 0, ageOf(object)],
);

const PARAM_KIND = column('ParamKind', 'Kind of the parameters.');
const paramKind = (kind: { apiVersion?: string; kind?: string } | undefined): string =>
  kind === undefined ? '<unset>' : `${kind.apiVersion ?? ''}/${kind.kind ?? ''}`;

export const validatingAdmissionPolicies = table<ValidatingAdmissionPolicy>(
  [NAME, column('Validations', 'Number of rules.', 'integer'), PARAM_KIND, AGE],
  (object) => [
    nameOf(object),
    object.spec?.validations?.length ?? 0,
    paramKind(object.spec?.paramKind),
    ageOf(object),
  ],
);

export const mutatingAdmissionPolicies = table<MutatingAdmissionPolicy>(
  [NAME, column('Mutations', 'Number of mutations.', 'integer'), PARAM_KIND, AGE],
  (object) => [
    nameOf(object),
    object.spec?.mutations?.length ?? 0,
    paramKind(object.spec?.paramKind),
    ageOf(object),
  ],
);

/** Table of the bindings of validating and mutating policies. */
export const admissionPolicyBindings = table<ValidatingAdmissionPolicyBinding>(
  [
    NAME,
    column('PolicyName', 'The policy that is bound.'),
    column('ParamRef', 'Reference to the parameters.'),
    AGE,
  ],
  (object) => {
    const { policyName = '', paramRef } = object.spec ?? {};
    const parameters =
      paramRef === undefined
        ? '<unset>'
        : paramRef.namespace
          ? `${paramRef.namespace}/${paramRef.name ?? ''}`
          : (paramRef.name ?? '');
    return [nameOf(object), policyName, parameters, ageOf(object)];
  },
);
