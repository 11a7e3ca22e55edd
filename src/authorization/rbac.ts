import { aggregate } from '../errors/aggregate.ts';
import type { PolicyRule } from '../model/generated/rbac-v1.ts';
import type { Attributes, Authorizer, AuthorizerResult, ResolvedRules } from '../request/attributes.ts';
import type { UserInfo } from '../request/user.ts';
import { BindingIndex, type GrantsBySubject } from './binding-index.ts';
import type { Grant } from './grant.ts';
import type { RoleSource } from './role-source.ts';
import { ruleAllows, ruleRequest } from './rule-matching.ts';
import { keysOf, type SubjectKey } from './subjects.ts';

/**
 * Resolves the rules of a user: those of cluster role bindings, and of role bindings in a non-empty
 * namespace.
 */
export interface RuleResolver {
  /** @returns the rules, and the errors of bindings whose role is missing */
  rules(
    user: UserInfo,
    namespace: string,
  ): { readonly rules: readonly PolicyRule[]; readonly errors: readonly string[] };
}

export interface RbacAuthorizer extends Authorizer, RuleResolver {
  authorize(attributes: Attributes): AuthorizerResult;
  rulesFor(user: UserInfo, namespace: string): ResolvedRules;
}

/**
 * Role-based access control: allows a request when any rule of any role bound to the user matches it; never
 * denies.
 */
export function createRbacAuthorizer(source: RoleSource): RbacAuthorizer {
  const index = new BindingIndex(source);

  /** Visits the grants of a user until `visit` returns true. */
  const search = (user: UserInfo, namespace: string, visit: (grant: Grant) => boolean): Grant | undefined => {
    const keys = keysOf(user);
    return (
      searchScope(index.cluster(), keys, visit) ??
      (namespace === '' ? undefined : searchScope(index.namespace(namespace), keys, visit))
    );
  };

  const rules = (user: UserInfo, namespace: string): { rules: PolicyRule[]; errors: string[] } => {
    const errors: string[] = [];
    const seen = new Set<unknown>();
    const found: PolicyRule[] = [];
    search(user, namespace, (grant) => {
      if (grant.resolutionError !== undefined) errors.push(grant.resolutionError);
      // A user may be bound twice by one binding (by name and by group); its rules are listed once.
      else if (!seen.has(grant.binding)) {
        seen.add(grant.binding);
        for (const rule of grant.rules) found.push(rule.source);
      }
      return false;
    });
    return { rules: found, errors };
  };

  return {
    name: 'RBAC',
    rules,
    authorize(attributes) {
      const request = ruleRequest(attributes);
      let errors: string[] | undefined;
      const grant = search(
        attributes.user,
        attributes.namespace,
        ({ rules: granted, resolutionError: missing }) => {
          if (missing !== undefined) {
            errors ??= [];
            errors.push(missing);
          }
          for (const rule of granted) if (ruleAllows(rule, request)) return true;
          return false;
        },
      );
      if (grant !== undefined) return { decision: 'allow', reason: grant.reason };
      return { decision: 'no-opinion', reason: errors === undefined ? '' : `RBAC: ${aggregate(errors)}` };
    },
    rulesFor(user, namespace) {
      const resolved = rules(user, namespace);
      return {
        resourceRules: resolved.rules
          .filter(({ resources = [] }) => resources.length > 0)
          .map(({ verbs = [], apiGroups, resources, resourceNames }) => ({
            verbs,
            apiGroups,
            resources,
            resourceNames,
          })),
        nonResourceRules: resolved.rules
          .filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0)
          .map(({ verbs = [], nonResourceURLs }) => ({ verbs, nonResourceURLs })),
        incomplete: false,
        ...(resolved.errors.length === 0 ? {} : { evaluationError: aggregate(resolved.errors) }),
      };
    },
  };
}

function searchScope(
  grants: GrantsBySubject,
  keys: readonly SubjectKey[],
  visit: (grant: Grant) => boolean,
): Grant | undefined {
  for (const key of keys) {
    const list = grants.get(key);
    if (list !== undefined) for (const grant of list) if (visit(grant)) return grant;
  }
  return undefined;
}
