import type { Policy, PolicyRule } from '../model/generated/audit-v1.ts';
import type { AuditSubject } from '../request/audit.ts';
import { coversPath } from '../request/path-pattern.ts';
import type { AuditLevel, AuditStage } from './event.ts';

/** The audit settings of one request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

/** Decides by the first matching rule; a request that matches none is not recorded. */
export type AuditPolicy = (attributes: AuditSubject['attributes']) => AuditDecision;

type Matcher = (attributes: AuditSubject['attributes']) => boolean;

const NOT_RECORDED: AuditDecision = { level: 'None', omitStages: new Set(), omitManagedFields: false };

/** Compiles a valid policy. */
export function compilePolicy({
  rules = [],
  omitStages = [],
  omitManagedFields = false,
}: Policy): AuditPolicy {
  const prepared = rules.map((rule) => ({
    matches: matcherOf(rule),
    decision: {
      level: rule.level as AuditLevel,
      omitStages: new Set([...omitStages, ...(rule.omitStages ?? [])] as AuditStage[]),
      omitManagedFields: rule.omitManagedFields ?? omitManagedFields,
    },
  }));
  return (attributes) => {
    for (const { matches, decision } of prepared) if (matches(attributes)) return decision;
    return NOT_RECORDED;
  };
}

/** All conditions of a rule have to match; an empty condition matches everything. */
function matcherOf({
  users = [],
  userGroups = [],
  verbs = [],
  namespaces = [],
  resources = [],
  nonResourceURLs = [],
}: PolicyRule): Matcher {
  const parts: Matcher[] = [];
  if (users.length > 0) {
    const names = new Set(users);
    parts.push(({ user }) => user !== undefined && names.has(user.name));
  }
  if (userGroups.length > 0) {
    const names = new Set(userGroups);
    parts.push(({ user }) => user?.groups.some((group) => names.has(group)) ?? false);
  }
  if (verbs.length > 0) {
    const names = new Set(verbs);
    parts.push(({ verb }) => names.has(verb));
  }
  if (namespaces.length > 0 || resources.length > 0) {
    // Cluster-scoped objects match the empty name.
    const names = new Set(namespaces);
    parts.push(({ isResource, namespace }) => isResource && (names.size === 0 || names.has(namespace)));
    if (resources.length > 0)
      parts.push((attributes) => resources.some((one) => coversResource(one, attributes)));
  } else if (nonResourceURLs.length > 0) {
    parts.push(
      ({ isResource, path }) => !isResource && nonResourceURLs.some((pattern) => coversPath(pattern, path)),
    );
  }
  return (attributes) => parts.every((matches) => matches(attributes));
}

type GroupResources = NonNullable<PolicyRule['resources']>[number];

function coversResource(
  { group = '', resources = [], resourceNames = [] }: GroupResources,
  { group: requestGroup, resource, subresource, name }: AuditSubject['attributes'],
): boolean {
  if (group !== requestGroup) return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(name)) return false;
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    (pattern) =>
      pattern === combined ||
      pattern === '*' ||
      (subresource !== '' && pattern === `*/${subresource}`) ||
      pattern === `${resource}/*`,
  );
}
