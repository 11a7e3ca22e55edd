import type { BuiltinResource } from '../builtin-resource.ts';
import { mutatingAdmissionPolicies } from './mutating-admission-policy.ts';
import { mutatingAdmissionPolicyBindings, validatingAdmissionPolicyBindings } from './policy-binding.ts';
import { validatingAdmissionPolicies } from './validating-admission-policy.ts';
import { mutatingWebhookConfigurations, validatingWebhookConfigurations } from './webhook-configuration.ts';

export const admissionregistrationResources: readonly BuiltinResource[] = [
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  mutatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
];
