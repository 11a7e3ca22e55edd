import type { EquivalentResources } from '../admission/listers.ts';
import type { PolicyObserver } from '../admission/policy/denials.ts';
import { mutatingAdmissionPolicy } from '../admission/policy/mutating-plugin.ts';
import type { PolicyPlugin } from '../admission/policy/policy-plugin.ts';
import { validatingAdmissionPolicy } from '../admission/policy/validating-plugin.ts';
import type { createListers } from '../listers/listers.ts';
import { parameterKinds } from '../listers/parameter-kinds.ts';
import { policyObjects } from '../listers/policy-objects.ts';
import type { Logger } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { Configuration } from '../options/options.ts';
import type { Readers } from '../reader/readers.ts';
import type { Authorizer } from '../request/attributes.ts';
import type { Resources } from '../resources/resources.ts';
import type { LoopTurns } from '../steps/turns.ts';

export interface PolicyParts {
  readonly configuration: Pick<Configuration, 'gates' | 'scheme'>;
  readonly resources: Resources;
  readonly readers: Readers;
  readonly listers: ReturnType<typeof createListers>;
  readonly authorizer: Authorizer;
  readonly equivalents: EquivalentResources;
  readonly metrics: ServerMetrics;
  readonly logger: Logger;
  readonly turns: LoopTurns;
}

/** Creates the admission plugins that are configured by policies. They have no effect before they start. */
export function createPolicyPlugins(parts: PolicyParts): PolicyPlugin[] {
  const { configuration, resources, readers, listers, authorizer, equivalents, metrics, logger, turns } =
    parts;
  const ports = {
    namespace: listers.admission.namespace,
    parameters: parameterKinds(resources),
    authorizer,
    has: configuration.scheme.has,
    equivalents,
    metrics,
    logger,
    turns,
  };
  const plugins = [
    validatingAdmissionPolicy({
      ...ports,
      observer: policyObserver(metrics),
      objects: policyObjects(readers, {
        policies: 'validatingadmissionpolicies',
        bindings: 'validatingadmissionpolicybindings',
      }),
    }),
  ];
  if (configuration.gates.enabled('MutatingAdmissionPolicy'))
    plugins.push(
      mutatingAdmissionPolicy({
        ...ports,
        objects: policyObjects(readers, {
          policies: 'mutatingadmissionpolicies',
          bindings: 'mutatingadmissionpolicybindings',
        }),
      }),
    );
  return plugins;
}

const policyObserver = ({
  celCompilation,
  celEvaluation,
  policyChecks,
  policyCheckDuration,
}: ServerMetrics): PolicyObserver => ({
  compiled: (milliseconds) => celCompilation.with().observe(milliseconds / 1000),
  decided(policy, binding, action, error, milliseconds) {
    celEvaluation.with().observe(milliseconds / 1000);
    policyChecks.with(policy, binding, error, action).add();
    policyCheckDuration.with(policy, binding, error, action).observe(milliseconds / 1000);
  },
});
