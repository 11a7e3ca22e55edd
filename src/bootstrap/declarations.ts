import type { FeatureGate } from '../model/feature-gates.ts';
import type { PolicyRule } from '../model/generated/rbac-v1.ts';
import type { Life } from '../model/life.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { RuleContext } from '../model/rule-context.ts';

/** What an object or a rule of the bootstrap needs: its releases and a feature gate. */
export interface Condition extends Life {
  readonly gate?: FeatureGate;
}

/** A rule of some releases, or of a feature gate. */
export interface ConditionalRule extends Condition {
  readonly rule: PolicyRule | ((context: RuleContext) => PolicyRule);
}

export const inCase = (condition: Condition, rule: ConditionalRule['rule']): ConditionalRule => ({
  ...condition,
  rule,
});

const holds = ({ has, isOn }: RuleContext, condition: Condition): boolean =>
  has(condition) && (condition.gate === undefined || isOn(condition.gate));

/** Selects what a server has. */
export const selectIn = <Entry extends Condition>(context: RuleContext, entries: readonly Entry[]): Entry[] =>
  entries.filter((entry) => holds(context, entry));

/** The rules that a server has. */
export const rulesIn = (
  context: RuleContext,
  rules: readonly (PolicyRule | ConditionalRule)[],
): PolicyRule[] =>
  rules.flatMap((one) => {
    if (!('rule' in one)) return [one];
    if (!holds(context, one)) return [];
    return [typeof one.rule === 'function' ? one.rule(context) : one.rule];
  });

/** A cluster role in compact form. */
export interface RoleDeclaration extends Condition {
  readonly name: string;
  readonly rules: readonly (PolicyRule | ConditionalRule)[];
  /** Aggregates the rules of all roles with its label; the aggregation controller fills them in. */
  readonly aggregates?: boolean;
  /** The aggregating role that includes the rules of this role. */
  readonly partOf?: string;
}

export const RBAC_VERSION = 'rbac.authorization.k8s.io/v1';
const RBAC_GROUP = 'rbac.authorization.k8s.io';

const splitWords = (text: string): string[] => text.split(' ');

/**
 * Declares a rule for resources. Arguments are lists separated by blanks; the core group is written `core`.
 */
export function allow(verbs: string, groups: string, resources: string, names?: string): PolicyRule {
  return {
    verbs: splitWords(verbs),
    apiGroups: splitWords(groups).map((group) => (group === 'core' ? '' : group)),
    resources: splitWords(resources),
    ...(names === undefined ? {} : { resourceNames: splitWords(names) }),
  };
}

/** Declares a rule for non-resource URLs. */
export const allowPaths = (verbs: string, paths: string): PolicyRule => ({
  verbs: splitWords(verbs),
  nonResourceURLs: splitWords(paths),
});

export const role = (
  name: string,
  rules: RoleDeclaration['rules'],
  options: Omit<RoleDeclaration, 'name' | 'rules'> = {},
): RoleDeclaration => ({
  name,
  rules,
  ...options,
});

const CONTROLLER_PREFIX = 'system:controller:';
export const controllerRole = (
  name: string,
  rules: RoleDeclaration['rules'],
  condition: Condition = {},
): RoleDeclaration => role(CONTROLLER_PREFIX + name, rules, condition);

/** A subject: `User:name`, `Group:name` or `ServiceAccount:namespace/name`. */
export type SubjectDeclaration = string;

/**
 * Metadata of an object that the server reconciles at every start, unless its autoupdate annotation is
 * `false`.
 */
function defaultMetadata(
  name: string,
  namespace: string,
  labels: Record<string, string> = {},
): KubernetesObject['metadata'] {
  return {
    name,
    ...(namespace === '' ? {} : { namespace }),
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  };
}

const aggregationLabel = (name: string): Record<string, string> => ({
  [`rbac.authorization.k8s.io/aggregate-to-${name}`]: 'true',
});

/** Copies rules, so that each object owns its own. */
const copyRules = (rules: readonly PolicyRule[]): unknown => structuredClone(rules);

export function clusterRole(
  { name, rules, aggregates, partOf }: RoleDeclaration,
  context: RuleContext,
): KubernetesObject {
  return {
    apiVersion: RBAC_VERSION,
    kind: 'ClusterRole',
    metadata: defaultMetadata(name, '', partOf === undefined ? {} : aggregationLabel(partOf)),
    ...(aggregates
      ? { aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregationLabel(name) }] } }
      : { rules: copyRules(rulesIn(context, rules)) }),
  };
}

export function namespacedRole(
  namespace: string,
  name: string,
  rules: readonly PolicyRule[],
): KubernetesObject {
  return {
    apiVersion: RBAC_VERSION,
    kind: 'Role',
    metadata: defaultMetadata(name, namespace),
    rules: copyRules(rules),
  };
}

function subject(declaration: SubjectDeclaration): Record<string, string> {
  const colon = declaration.indexOf(':');
  const kind = declaration.slice(0, colon);
  const rest = declaration.slice(colon + 1);
  if (kind !== 'ServiceAccount') return { kind, apiGroup: RBAC_GROUP, name: rest };
  const [namespace, name] = rest.split('/') as [string, string];
  return { kind, name, namespace };
}

/** Declares a binding to a role of the same scope: a cluster role when `namespace` is empty. */
export function binding(
  namespace: string,
  name: string,
  roleName: string,
  subjects: readonly SubjectDeclaration[],
): KubernetesObject {
  const scope = namespace === '' ? 'Cluster' : '';
  return {
    apiVersion: RBAC_VERSION,
    kind: `${scope}RoleBinding`,
    metadata: defaultMetadata(name, namespace),
    ...(subjects.length === 0 ? {} : { subjects: subjects.map(subject) }),
    roleRef: { apiGroup: RBAC_GROUP, kind: `${scope}Role`, name: roleName },
  };
}

/** Declares the binding of a controller's role to its service account. */
export function controllerBinding({ name }: RoleDeclaration): KubernetesObject {
  return binding('', name, name, [`ServiceAccount:kube-system/${name.slice(CONTROLLER_PREFIX.length)}`]);
}
