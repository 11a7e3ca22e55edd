import type { ClusterRole, PolicyRule } from '../model/generated/rbac-v1.ts';
import { type LabelOperator, type LabelSelector, selectorOf } from '../model/label-selector.ts';
import type { Resource } from '../reconcile/client.ts';
import type { Controller, NamedContext } from '../reconcile/controller.ts';
import { controllerQueue } from '../reconcile/work-queue.ts';

const CLUSTER_ROLES: Resource = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  resource: 'clusterroles',
  kind: 'ClusterRole',
};
const FIELD_MANAGER = 'clusterrole-aggregation-controller';

/** Aggregates the rules of the selected cluster roles into cluster roles with an aggregation rule. */
export function clusterRoleAggregationController(parts: NamedContext): Controller {
  const { name } = parts;
  const client = parts.client(parts.user);
  const roles = parts.objects(CLUSTER_ROLES);
  const queue = controllerQueue(parts, name, async (key) => {
    const role = roles.get(key) as ClusterRole | undefined;
    if (role?.aggregationRule === undefined) return 'done';
    const rules = aggregate(
      role,
      Array.from(roles.entries(), ([, { object }]) => object as ClusterRole),
    );
    if (JSON.stringify(rules) === JSON.stringify(role.rules ?? [])) return 'done';
    await client.apply(CLUSTER_ROLES, { metadata: { name: key }, rules }, FIELD_MANAGER);
    return 'done';
  });
  /** Selectors by aggregating role, to enqueue only the roles that a change affects. */
  const selectors = new Map<string, readonly LabelSelector[]>();
  roles.onChange((key, current, before) => {
    const role = current?.object as ClusterRole | undefined;
    const previous = before?.object as ClusterRole | undefined;
    if (role?.aggregationRule === undefined) selectors.delete(key);
    else {
      selectors.set(key, selectorsOf(role));
      queue.add(key);
    }
    for (const [other, list] of selectors)
      if (
        other !== key &&
        list.some((selector) => isSelected(selector, role) || isSelected(selector, previous))
      )
        queue.add(other);
  });
  return { name, sources: [roles], queue };
}

/** The aggregated rules in the order of selectors and role names, without duplicates. */
function aggregate(aggregating: ClusterRole, all: readonly ClusterRole[]): PolicyRule[] {
  const rules = new Map<string, PolicyRule>();
  for (const selector of selectorsOf(aggregating)) {
    // Skips the role itself: it would never drop a rule otherwise.
    const selected = all.filter(
      (role) => role.metadata?.name !== aggregating.metadata?.name && isSelected(selector, role),
    );
    for (const role of selected.sort((a, b) =>
      (a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1,
    )) {
      for (const rule of role.rules ?? []) {
        const text = JSON.stringify(rule);
        if (!rules.has(text)) rules.set(text, rule);
      }
    }
  }
  return [...rules.values()];
}

const isSelected = (selector: LabelSelector, role: ClusterRole | undefined): boolean =>
  role !== undefined && selector.matches(role.metadata?.labels ?? {});
const selectorsOf = ({ aggregationRule }: ClusterRole): LabelSelector[] =>
  (aggregationRule?.clusterRoleSelectors ?? []).map(compile);

const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

function compile({
  matchLabels = {},
  matchExpressions = [],
}: NonNullable<NonNullable<ClusterRole['aggregationRule']>['clusterRoleSelectors']>[number]): LabelSelector {
  return selectorOf([
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, operator: '=' as const, values: [value] })),
    ...matchExpressions.map(({ key = '', operator = '', values = [] }) => ({
      key,
      operator: OPERATORS[operator] ?? 'exists',
      values,
    })),
  ]);
}
