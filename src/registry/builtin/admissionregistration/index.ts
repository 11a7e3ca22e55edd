import type { Strategy } from '../../strategy.ts';
import { type ExpressionChecker, UNCHECKED } from './expressions.ts';
import { mutatingAdmissionPolicyStrategy } from './mutating-admission-policy.ts';
import {
  mutatingAdmissionPolicyBindingStrategy,
  validatingAdmissionPolicyBindingStrategy,
} from './policy-binding.ts';
import { validatingAdmissionPolicyStrategy } from './validating-admission-policy.ts';
import { webhookConfigurationStrategy } from './webhook-configuration.ts';

/** @param checker compiles the expressions of policies and match conditions */
export const admissionStrategies = (checker: ExpressionChecker): Record<string, Strategy> => ({
  mutatingwebhookconfigurations: webhookConfigurationStrategy(true, checker),
  validatingwebhookconfigurations: webhookConfigurationStrategy(false, checker),
  validatingadmissionpolicies: validatingAdmissionPolicyStrategy(checker),
  validatingadmissionpolicybindings: validatingAdmissionPolicyBindingStrategy,
  mutatingadmissionpolicies: mutatingAdmissionPolicyStrategy(checker),
  mutatingadmissionpolicybindings: mutatingAdmissionPolicyBindingStrategy,
});

export const strategies = admissionStrategies(UNCHECKED);
