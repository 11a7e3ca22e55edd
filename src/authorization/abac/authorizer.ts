import { trimEnd } from '../../model/trim-end.ts';
import type { Attributes, Authorizer } from '../../request/attributes.ts';
import type { UserInfo } from '../../request/user.ts';
import type { AbacPolicy } from './policy-file.ts';

const READING: readonly string[] = ['get', 'list', 'watch'];

/**
 * Attribute-based access control: a request is allowed when one policy matches all of it; nothing is ever
 * denied.
 */
export function createAbacAuthorizer(policies: readonly AbacPolicy[]): Authorizer {
  return {
    name: 'ABAC',
    authorize: (attributes) =>
      policies.some((policy) => matches(policy, attributes))
        ? { decision: 'allow', reason: '' }
        : { decision: 'no-opinion', reason: 'No policy matched.' },
    rulesFor(user, namespace) {
      const held = policies.filter(
        (policy) => isSubject(policy, user) && (policy.namespace === '*' || policy.namespace === namespace),
      );
      const verbs = ({ readonly }: AbacPolicy) => (readonly ? READING : ['*']);
      return {
        resourceRules: held
          .filter(({ resource }) => resource !== '')
          .map((policy) => ({
            verbs: verbs(policy),
            apiGroups: [policy.apiGroup],
            resources: [policy.resource],
          })),
        nonResourceRules: held
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
    ? holdsResource(policy, attributes)
    : holdsPath(policy.nonResourcePath, attributes.path);
}

/** A policy for nobody matches nobody; one for a user and a group is for that user in that group. */
function isSubject({ user, group }: AbacPolicy, { name, groups }: UserInfo): boolean {
  if (user === '' && group === '') return false;
  return (user === '' || user === '*' || user === name) && (group === '' || groups.includes(group));
}

const holdsResource = (policy: AbacPolicy, { namespace, resource, group }: Attributes): boolean =>
  (policy.namespace === '*' || policy.namespace === namespace) &&
  (policy.resource === '*' || policy.resource === resource) &&
  (policy.apiGroup === '*' || policy.apiGroup === group);

const holdsPath = (wanted: string, path: string): boolean =>
  wanted === '*' || wanted === path || (wanted.endsWith('*') && path.startsWith(trimEnd(wanted, '*')));
