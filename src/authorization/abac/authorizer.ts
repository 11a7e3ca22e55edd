import type { Attributes, Authorizer } from '../../request/attributes.ts';
import { coversPath } from '../../request/path-pattern.ts';
import type { UserInfo } from '../../request/user.ts';
import type { AbacPolicy } from './policy-file.ts';

const READING: readonly string[] = ['get', 'list', 'watch'];

/**
 * Attribute-based access control: allows a request when a policy matches all of its attributes; never denies.
 */
export function createAbacAuthorizer(policies: readonly AbacPolicy[]): Authorizer {
  return {
    name: 'ABAC',
    authorize: (attributes) =>
      policies.some((policy) => matches(policy, attributes))
        ? { decision: 'allow', reason: '' }
        : { decision: 'no-opinion', reason: 'No policy matched.' },
    rulesFor(user, namespace) {
      const applicable = policies.filter(
        (policy) => isSubject(policy, user) && (policy.namespace === '*' || policy.namespace === namespace),
      );
      const verbs = ({ readonly }: AbacPolicy) => (readonly ? READING : ['*']);
      return {
        resourceRules: applicable
          .filter(({ resource }) => resource !== '')
          .map((policy) => ({
            verbs: verbs(policy),
            apiGroups: [policy.apiGroup],
            resources: [policy.resource],
          })),
        nonResourceRules: applicable
          .filter(({ nonResourcePath }) => nonResourcePath !== '')
          .map((policy) => ({ verbs: verbs(policy), nonResourceURLs: [policy.nonResourcePath] })),
        incomplete: false,
      };
    },
  };
}

function matches(policy: AbacPolicy, attributes: Attributes): boolean {
  if (!isSubject(policy, attributes.user)) return false;
  if (policy.readonly && !READING.includes(attributes.verb)) return false;
  return attributes.isResource
    ? matchesResource(policy, attributes)
    : coversPath(policy.nonResourcePath, attributes.path);
}

/** A policy without user and group matches no caller; one with both requires both. */
function isSubject({ user, group }: AbacPolicy, { name, groups }: UserInfo): boolean {
  if (user === '' && group === '') return false;
  return (user === '' || user === '*' || user === name) && (group === '' || groups.includes(group));
}

const matchesResource = (policy: AbacPolicy, { namespace, resource, group }: Attributes): boolean =>
  (policy.namespace === '*' || policy.namespace === namespace) &&
  (policy.resource === '*' || policy.resource === resource) &&
  (policy.apiGroup === '*' || policy.apiGroup === group);
