import type { Attributes, Authorizer, AuthorizerResult, ResolvedRules } from '../request/attributes.ts';
import type { UserInfo } from '../request/user.ts';
import { BindingIndex, type GrantsBySubject } from './binding-index.ts';
import type { Grant } from './grant.ts';
import type { PolicyRule, RoleSource } from './rbac-types.ts';
import { ruleAllows, ruleRequest } from './rule-matching.ts';
import { keysOf, type SubjectKey } from './subjects.ts';

/**
 * The rules that a user holds: those of cluster role bindings, and of role bindings in the namespace when it
 * is not empty.
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

/** One error as it is, several in brackets, each once. */
export function joinErrors(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(', ')}]`;
}

/**
 * Role-based access control: a request is allowed when any rule of any role bound to the user allows it;
 * nothing is ever denied.
 */
export function createRbacAuthorizer(source: RoleSource): RbacAuthorizer {
  const index = new BindingIndex(source);

  /** Visits the grants of a user until `visit` answers true. */
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
      // A user may be bound twice by one binding (by name and by group); its rules count once.
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
      return { decision: 'no-opinion', reason: errors === undefined ? '' : `RBAC: ${joinErrors(errors)}` };
    },
    rulesFor(user, namespace) {
      const held = rules(user, namespace);
      return {
        resourceRules: held.rules
          .filter(({ resources = [] }) => resources.length > 0)
          .map(({ verbs = [], apiGroups, resources, resourceNames }) => ({
            verbs,
            apiGroups,
            resources,
            resourceNames,
          })),
        nonResourceRules: held.rules
          .filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0)
          .map(({ verbs = [], nonResourceURLs }) => ({ verbs, nonResourceURLs })),
        incomplete: false,
        ...(held.errors.length === 0 ? {} : { evaluationError: joinErrors(held.errors) }),
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
