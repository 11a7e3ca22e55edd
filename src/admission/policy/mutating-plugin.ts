import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
} from '../../model/generated/admissionregistration-v1alpha1.ts';
import { reinvocationsByRequest } from '../reinvocations.ts';
import type { CompiledMutatingPolicy } from './mutating/compile.ts';
import type { MutationPorts } from './mutating/mutate-request.ts';
import { type PolicyPlugin, policyPlugin } from './policy-plugin.ts';
import type { PolicyPorts } from './request-scope.ts';
import { type PolicyOrigin, PolicySource } from './source.ts';

export interface MutatingPolicyOptions
  extends PolicyPorts,
    PolicyOrigin<MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding> {}

/**
 * Mutates objects by the expressions of MutatingAdmissionPolicies. The engine is loaded with the first policy,
 * so that startup does not wait for it.
 */
export function mutatingAdmissionPolicy(options: MutatingPolicyOptions): PolicyPlugin {
  let engine: typeof import('./mutating/mutate-request.ts') | undefined;
  const source = new PolicySource<
    MutatingAdmissionPolicy,
    MutatingAdmissionPolicyBinding,
    CompiledMutatingPolicy
  >({
    ...options,
    async load() {
      engine ??= await import('./mutating/mutate-request.ts');
      return engine.compile;
    },
  });
  const ports: MutationPorts = { ...options, reinvocationsOf: reinvocationsByRequest() };
  return policyPlugin('MutatingAdmissionPolicy', source, {
    // A deleted object cannot be changed.
    ignoresDeletion: true,
    admit(request) {
      if (source.isEmpty) return;
      const candidates = source.candidates(request);
      if (candidates.length > 0) return engine!.mutateRequest(request, candidates, ports);
    },
  });
}
