import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
} from '../../model/generated/admissionregistration-v1alpha1.ts';
import type { Logger } from '../../observability/log.ts';
import type { LoopTurns } from '../../request/scheduling/loop-scheduler.ts';
import type { EquivalentResources } from '../listers.ts';
import { reinvocationsByRequest } from '../reinvocations.ts';
import type { CompiledMutatingPolicy } from './mutating/compile.ts';
import type { MutationPorts } from './mutating/mutate-request.ts';
import type { PolicyObjects } from './objects.ts';
import { type PolicyPlugin, policyPlugin } from './policy-plugin.ts';
import type { PolicyPorts } from './request-scope.ts';
import { PolicySource } from './source.ts';

export interface MutatingPolicyOptions extends PolicyPorts {
  readonly objects: PolicyObjects<MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding>;
  readonly equivalents: EquivalentResources;
  readonly logger: Logger;
  /** The turns of the event loop for compilation. */
  readonly turns: LoopTurns;
}

/**
 * Mutates objects by the expressions of MutatingAdmissionPolicies. The engine is loaded with the first policy,
 * so that startup does not wait for it.
 */
export function mutatingAdmissionPolicy(options: MutatingPolicyOptions): PolicyPlugin {
  const { objects, equivalents, logger, turns } = options;
  let engine: typeof import('./mutating/mutate-request.ts') | undefined;
  const source = new PolicySource<
    MutatingAdmissionPolicy,
    MutatingAdmissionPolicyBinding,
    CompiledMutatingPolicy
  >({
    objects,
    equivalents,
    logger,
    turns,
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
