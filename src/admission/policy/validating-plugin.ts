import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../model/generated/admissionregistration-v1.ts';
import type { Logger } from '../../observability/log.ts';
import type { LoopTurns } from '../../request/scheduling/loop-scheduler.ts';
import type { EquivalentResources } from '../listers.ts';
import type { CompiledPolicy } from './compile.ts';
import type { PolicyObjects } from './objects.ts';
import { type PolicyPlugin, policyPlugin } from './policy-plugin.ts';
import { PolicySource } from './source.ts';
import type { ValidationPorts } from './validate-request.ts';

export interface ValidatingPolicyOptions extends ValidationPorts {
  readonly objects: PolicyObjects;
  readonly equivalents: EquivalentResources;
  readonly logger: Logger;
  /** The turns of the event loop for compilation. */
  readonly turns: LoopTurns;
}

/**
 * Validates objects by the expressions of ValidatingAdmissionPolicies. The engine is loaded with the first
 * policy, so that startup does not wait for it.
 */
export function validatingAdmissionPolicy(options: ValidatingPolicyOptions): PolicyPlugin {
  const { objects, equivalents, logger, turns } = options;
  let engine: typeof import('./validate-request.ts') | undefined;
  const source = new PolicySource<
    ValidatingAdmissionPolicy,
    ValidatingAdmissionPolicyBinding,
    CompiledPolicy
  >({
    objects,
    equivalents,
    logger,
    turns,
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
