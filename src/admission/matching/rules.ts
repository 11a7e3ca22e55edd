import type { NamedRuleWithOperations } from '../../model/generated/admissionregistration-v1.ts';
import type { GroupVersionResource } from '../../model/object.ts';
import type { AdmissionOperation, AdmissionRequest } from '../../request/admission.ts';

/** What rules are compared with. */
export interface RuleTarget {
  readonly operation: AdmissionOperation;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  /** Whether the request names no namespace, or is for a namespace itself. */
  readonly isClusterScoped: boolean;
}

const ADMISSION_GROUP = 'admissionregistration.k8s.io';

/** Whether nothing intercepts requests for a resource. */
export type IsExempt = (group: string, resource: string) => boolean;

const POLICY_RESOURCES = [
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
];

const exempting = (
  ...resources: readonly (readonly [group: string, names: readonly string[]])[]
): IsExempt => {
  const names = new Map(resources.map(([group, list]) => [group, new Set(list)]));
  return (group, resource) => names.get(group)?.has(resource) === true;
};

const REVIEWS = [
  ['authentication.k8s.io', ['selfsubjectreviews', 'tokenreviews']],
  [
    'authorization.k8s.io',
    [
      'localsubjectaccessreviews',
      'selfsubjectaccessreviews',
      'selfsubjectrulesreviews',
      'subjectaccessreviews',
    ],
  ],
] as const;

const CONFIGURATION = [
  ADMISSION_GROUP,
  ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations', ...POLICY_RESOURCES],
] as const;

/** Webhooks never see the configuration of admission, so that it can always be corrected. */
export const isExemptFromWebhooks = exempting(CONFIGURATION);

/** What webhooks do not see while the gate `ExcludeAdmissionWebhookVirtualResources` is on: also reviews. */
export const isExemptFromWebhooksWithReviews = exempting(CONFIGURATION, ...REVIEWS);

/** Policies never see policies and bindings, so that they can always be corrected, nor reviews. */
export const isExemptFromPolicies = exempting([ADMISSION_GROUP, POLICY_RESOURCES], ...REVIEWS);

/** Whether a resource is that of namespaces, which are cluster-scoped and belong to themselves. */
export const isNamespaces = ({ group, resource }: { group: string; resource: string }): boolean =>
  group === '' && resource === 'namespaces';

/** The namespace that the request is about: for a namespace itself, its name. */
export const requestNamespace = ({ resource, namespace, name, object }: AdmissionRequest): string =>
  isNamespaces(resource) ? name || (object?.metadata?.name ?? '') : namespace;

export const isClusterScoped = ({ resource, namespace }: AdmissionRequest): boolean =>
  namespace === '' || isNamespaces(resource);

const ANY = '*';
const includes = (list: readonly string[] = [], value: string): boolean =>
  list.includes(ANY) || list.includes(value);

/**
 * Whether a rule of a webhook, or of the match resources of a policy, matches, names aside. `pods` matches the resource alone, `pods/*` also everything below it,
 * `*` all resources without their subresources, and `*` below a slash all subresources.
 */
export function ruleMatches(
  rule: NamedRuleWithOperations,
  { operation, resource, subresource, isClusterScoped }: RuleTarget,
): boolean {
  const { scope = ANY } = rule;
  if (scope !== ANY && (scope === 'Cluster') !== isClusterScoped) return false;
  if (!includes(rule.operations, operation)) return false;
  if (!includes(rule.apiGroups, resource.group) || !includes(rule.apiVersions, resource.version))
    return false;
  return (rule.resources ?? []).some((pattern) => {
    const slash = pattern.indexOf('/');
    const name = slash < 0 ? pattern : pattern.slice(0, slash);
    const below = slash < 0 ? '' : pattern.slice(slash + 1);
    return (name === ANY || name === resource.resource) && (below === ANY || below === subresource);
  });
}
