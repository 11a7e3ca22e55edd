import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../model/generated/admissionregistration-v1.ts';
import type { CompiledPolicy } from './compile.ts';
import { type PolicyPlugin, policyPlugin } from './policy-plugin.ts';
import { type PolicyOrigin, PolicySource } from './source.ts';
import type { ValidationPorts } from './validate-request.ts';

export interface ValidatingPolicyOptions
  extends ValidationPorts,
    PolicyOrigin<ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding> {}

/**
 * Validates objects by the expressions of ValidatingAdmissionPolicies. The engine is loaded with the first
 * policy, so that startup does not wait for it.
 */
export function validatingAdmissionPolicy(options: ValidatingPolicyOptions): PolicyPlugin {
  let engine: typeof import('./validate-request.ts') | undefined;
  const source = new PolicySource<
    ValidatingAdmissionPolicy,
    ValidatingAdmissionPolicyBinding,
    CompiledPolicy
  >({
    ...options,
    onCompiled: (milliseconds) => options.observer.compiled?.(milliseconds),
    async load() {
      engine ??= await import('./validate-request.ts');
      return engine.compile;
    },
  });
  return policyPlugin('ValidatingAdmissionPolicy', source, {
    validate(request) {
      if (source.isEmpty) return;
      const candidates = source.candidates(request);
      if (candidates.length > 0) return engine!.validateRequest(request, candidates, options);
    },
  });
}
