import { aggregate } from '../errors/aggregate.ts';
import { quote, quoteList } from '../errors/quote.ts';
import type { ClusterRole, PolicyRule, RoleBinding } from '../model/generated/rbac-v1.ts';
import { type Authorizer, type AuthorizerResult, resourceAccess } from '../request/attributes.ts';
import { GROUP_MASTERS, type UserInfo } from '../request/user.ts';
import { errors } from '../status/errors.ts';
import { runInBackground } from '../steps/run.ts';
import type { RuleResolver } from './rbac.ts';
import type { RoleSource } from './role-source.ts';
import { uncoveredRules } from './rule-coverage.ts';

const GROUP = 'rbac.authorization.k8s.io';
const RESOURCE_OF: Readonly<Record<string, string>> = {
  Role: 'roles',
  ClusterRole: 'clusterroles',
  RoleBinding: 'rolebindings',
  ClusterRoleBinding: 'clusterrolebindings',
};
/** An aggregated role may gain any rule, so its author must hold all rules. */
const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

export interface EscalationContext {
  readonly user: UserInfo;
  /** Empty for cluster roles and their bindings. */
  readonly namespace: string;
  readonly authorizer: Authorizer;
  readonly resolver: RuleResolver;
  readonly roles: RoleSource;
}

const MISSING_ROLE = /^(?:cluster)?role\.(?=rbac\.authorization\.k8s\.io )/;

/** Formats a rule for denials: `{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`. */
function compactText({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  const parts: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['NonResourceURLs', nonResourceURLs],
    ['ResourceNames', resourceNames],
    ['Verbs', verbs],
  ];
  const members = parts
    .filter(([, values]) => values && values.length > 0)
    .map(([name, values]) => `${name}:${quoteList(values!)}`);
  return `{${members.join(', ')}}`;
}

/**
 * Checks whether a user may grant these rules.
 * @param resource of the request, which the reference says is not found when a role is missing
 * @returns undefined when the user holds all of them, otherwise the reason of the denial
 */
async function checkNoEscalation(
  user: UserInfo,
  namespace: string,
  granted: readonly PolicyRule[],
  resolver: RuleResolver,
  resource: string,
): Promise<string | undefined> {
  const held = resolver.rules(user, namespace);
  let missing: PolicyRule[];
  try {
    missing = await runInBackground(uncoveredRules(held.rules, granted));
  } catch (error) {
    return (error as Error).message;
  }
  if (missing.length === 0) return undefined;
  const lines = missing.map(compactText).sort();
  const groups = quoteList(user.groups);
  const resolutionErrors =
    held.errors.length === 0
      ? ''
      : `; resolution errors: [${aggregate(held.errors.map((text) => text.replace(MISSING_ROLE, `${resource}.`)))}]`;
  return `user ${quote(user.name)} (groups=${groups}) is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}${resolutionErrors}`;
}

async function isAllowed(
  { user, namespace, authorizer }: EscalationContext,
  verb: string,
  resource: string,
  name: string,
): Promise<boolean> {
  const attributes = resourceAccess({ user, verb, group: GROUP, resource, namespace, name });
  const result: AuthorizerResult = await authorizer.authorize(attributes);
  return result.decision === 'allow';
}

const isMaster = ({ groups }: UserInfo): boolean => groups.includes(GROUP_MASTERS);

const isAggregated = (role: ClusterRole | undefined): boolean =>
  (role?.aggregationRule?.clusterRoleSelectors ?? []).length > 0;

/**
 * Rejects a role whose rules the user does not hold, unless the user may `escalate` it. A role that gathers
 * rules, or did before its update, requires every rule.
 * @throws ApiError 403
 */
export async function checkRoleEscalation(
  role: ClusterRole,
  kind: 'Role' | 'ClusterRole',
  context: EscalationContext,
  old?: ClusterRole,
): Promise<void> {
  const { user, namespace, resolver } = context;
  if (isMaster(user)) return;
  const name = role.metadata?.name ?? '';
  const resource = RESOURCE_OF[kind]!;
  if (await isAllowed(context, 'escalate', resource, name)) return;
  const denial = await checkNoEscalation(user, namespace, role.rules ?? [], resolver, resource);
  if (denial !== undefined) throw errors.forbidden({ group: GROUP, resource }, name, denial);
  if (!isAggregated(role) && !isAggregated(old)) return;
  if ((await checkNoEscalation(user, namespace, EVERYTHING, resolver, resource)) === undefined) return;
  throw errors.forbidden(
    { group: GROUP, resource },
    name,
    'must have cluster-admin privileges to use the aggregationRule',
  );
}

/**
 * Rejects a binding of a role whose rules the user does not hold, unless the user may `bind` it.
 * @throws ApiError 403, or 404 for a role that does not exist
 */
export async function checkBindingEscalation(
  binding: RoleBinding,
  kind: 'RoleBinding' | 'ClusterRoleBinding',
  context: EscalationContext,
): Promise<void> {
  const { user, namespace, resolver, roles } = context;
  if (isMaster(user)) return;
  const { kind: roleKind = '', name = '' } = binding.roleRef ?? {};
  const resource = RESOURCE_OF[roleKind] ?? '';
  if (await isAllowed(context, 'bind', resource, name)) return;
  const role = roleKind === 'ClusterRole' ? roles.clusterRole(name) : roles.role(namespace, name);
  const own = RESOURCE_OF[kind]!;
  // The reference names the resource of the request.
  if (role === undefined) throw errors.notFound({ group: GROUP, resource: own }, name);
  const denial = await checkNoEscalation(user, namespace, role.rules ?? [], resolver, own);
  if (denial !== undefined)
    throw errors.forbidden({ group: GROUP, resource: own }, binding.metadata?.name ?? '', denial);
}
