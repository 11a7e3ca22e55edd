import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../model/generated/admissionregistration-v1.ts';
import type { Logger } from '../../observability/log.ts';
import type { AdmissionPlugin } from '../../request/admission.ts';
import type { LoopTurns } from '../../request/scheduling/loop-scheduler.ts';
import type { EquivalentResources } from '../listers.ts';
import type { CompiledPolicy } from './compile.ts';
import type { PolicyObjects } from './objects.ts';
import { PolicySource } from './source.ts';
import type { ValidationPorts } from './validate-request.ts';

export interface ValidatingPolicyOptions extends ValidationPorts {
  readonly objects: PolicyObjects;
  readonly equivalents: EquivalentResources;
  readonly logger: Logger;
  /** The turns of the event loop for compilation. */
  readonly turns: LoopTurns;
}

/** A plugin whose configuration is followed while the server runs. */
export interface PolicyPlugin extends AdmissionPlugin {
  /** Puts the stored policies in force, then follows their changes. @throws StorageUnavailableError */
  start(): Promise<void>;
  stop(): void;
  /** Resolves when all changes so far are in force. */
  settled(): Promise<void>;
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
  return {
    name: 'ValidatingAdmissionPolicy',
    isConfiguredByObjects: true,
    get generation() {
      return source.generation;
    },
    handles: (operation, group, resource, subresource) =>
      source.handles(operation, group, resource, subresource),
    // An authorizer may be a webhook.
    leavesProcess: (operation, group, resource, subresource) =>
      source.handles(operation, group, resource, subresource),
    validate(request) {
      if (source.isEmpty) return;
      const candidates = source.candidates(request);
      if (candidates.length > 0) return engine!.validateRequest(request, candidates, options);
    },
    start: () => source.start(),
    stop: () => source.stop(),
    settled: () => source.settled(),
  };
}
