import {
  type ExpressionChecker,
  UNCHECKED as UNCHECKED_EXPRESSIONS,
} from '../../src/kinds/admissionregistration/expressions.ts';
import { mutatingAdmissionPolicyStrategy } from '../../src/kinds/admissionregistration/mutating-admission-policy.ts';
import {
  mutatingAdmissionPolicyBindingStrategy,
  validatingAdmissionPolicyBindingStrategy,
} from '../../src/kinds/admissionregistration/policy-binding.ts';
import { validatingAdmissionPolicyStrategy } from '../../src/kinds/admissionregistration/validating-admission-policy.ts';
import { webhookConfigurationStrategy } from '../../src/kinds/admissionregistration/webhook-configuration.ts';
import { customResourceDefinitionStrategy } from '../../src/kinds/apiextensions/custom-resource-definition.ts';
import {
  type SchemaChecker,
  UNCHECKED as UNCHECKED_SCHEMAS,
} from '../../src/kinds/apiextensions/schema-checker.ts';
import { createCronJobStrategy } from '../../src/kinds/batch/cron-job.ts';
import {
  type BuiltinDependencies,
  type BuiltinResource,
  defineResource,
  type ResourceOptions,
} from '../../src/kinds/builtin-resource.ts';
import { builtinStrategies } from '../../src/kinds/builtin-resources.ts';
import { createPodStrategy } from '../../src/kinds/core/pods/pod-strategy.ts';
import { BUILTIN_GROUPS } from '../../src/kinds/index.ts';
import { deviceClassStrategy } from '../../src/kinds/resource/device-class.ts';
import {
  resourceClaimStrategy,
  resourceClaimTemplateStrategy,
} from '../../src/kinds/resource/resource-claim.ts';
import { resourceSliceStrategy } from '../../src/kinds/resource/resource-slice.ts';
import type { ResourceRow } from '../../src/kinds/resource-row.ts';
import type { Strategy } from '../../src/kinds/strategy.ts';
import { type TableDefinition, tableIn } from '../../src/kinds/table.ts';
import { schemeOf } from '../../src/model/scheme.ts';
import { findBuiltinResource } from './builtin-kinds.ts';

export type Strategies = Readonly<Record<string, Strategy>>;

/** Dependencies of strategies that allocate nothing and deny no escalation. */
export const DEPENDENCIES: BuiltinDependencies = {
  allocator: { families: ['IPv4'] } as never,
  eventSeconds: 3600,
  isOn: schemeOf().isOnByDefault,
  has: schemeOf().has,
  isAllowed: async () => true,
  checkEscalation: async () => undefined,
};

export const podStrategy = createPodStrategy(DEPENDENCIES);
export const cronJobStrategy = createCronJobStrategy(DEPENDENCIES);

const strategies = builtinStrategies(DEPENDENCIES);

export function builtinResource(group: string, resource: string): BuiltinResource {
  const found = findBuiltinResource(group, resource);
  if (found === undefined) throw new Error(`no built-in resource ${resource} in group "${group}"`);
  return found;
}

/** The strategy that a server has, which compiles expressions. */
export const strategyOf = (group: string, resource: string): Strategy =>
  strategies(builtinResource(group, resource));

export const tableOf = (group: string, resource: string): TableDefinition =>
  tableIn(schemeOf(), builtinResource(group, resource).table);

/** The strategies of `admissionregistration.k8s.io`, by resource. */
export const admissionStrategies = (checker: ExpressionChecker): Strategies => ({
  mutatingwebhookconfigurations: webhookConfigurationStrategy(true, checker),
  validatingwebhookconfigurations: webhookConfigurationStrategy(false, checker),
  validatingadmissionpolicies: validatingAdmissionPolicyStrategy(checker),
  validatingadmissionpolicybindings: validatingAdmissionPolicyBindingStrategy,
  mutatingadmissionpolicies: mutatingAdmissionPolicyStrategy(checker),
  mutatingadmissionpolicybindings: mutatingAdmissionPolicyBindingStrategy,
});

/** The strategies of `apiextensions.k8s.io`, by resource. */
export const definitionStrategies = (checker: SchemaChecker): Strategies => ({
  customresourcedefinitions: customResourceDefinitionStrategy(checker),
});

/** The strategies of `resource.k8s.io`, by resource. */
export const deviceStrategies = (checker: ExpressionChecker): Strategies => ({
  deviceclasses: deviceClassStrategy(checker),
  resourceclaims: resourceClaimStrategy(checker)(DEPENDENCIES),
  resourceclaimtemplates: resourceClaimTemplateStrategy(checker)(DEPENDENCIES),
  resourceslices: resourceSliceStrategy(DEPENDENCIES),
});

const UNCHECKED: Readonly<Record<string, Strategies>> = {
  'admissionregistration.k8s.io': admissionStrategies(UNCHECKED_EXPRESSIONS),
  'apiextensions.k8s.io': definitionStrategies(UNCHECKED_SCHEMAS),
  'resource.k8s.io': deviceStrategies(UNCHECKED_EXPRESSIONS),
};

/** The strategies of a group by resource. They accept every expression. */
export function strategiesOf(group: string): Strategies {
  const resources = BUILTIN_GROUPS.find(([first]) => first?.group === group) ?? [];
  return Object.fromEntries(
    resources.map((one) => [one.resource, UNCHECKED[group]?.[one.resource] ?? strategies(one)]),
  );
}

/** The row of a resource in one version. */
export function rowOf(
  group: string,
  version: string,
  resource: string,
  kind: string,
  options: Partial<ResourceOptions> = {},
): ResourceRow {
  return defineResource({ group, versions: [version], resource, kind, ...options }).rowsIn(schemeOf())[0]!;
}
