import type { PolicyRule, Subject } from '../../authorization/rbac-types.ts';
import { uncoveredRules } from '../../authorization/rule-coverage.ts';
import { getMember, type KubernetesObject } from '../../model/object.ts';

const AUTOUPDATE = 'rbac.authorization.kubernetes.io/autoupdate';

/**
 * Brings a stored default object up to date at start: labels, annotations, rules and subjects that it lacks
 * are added, nothing is taken away. An object whose autoupdate annotation is `false` belongs to the
 * administrator.
 * @returns the object to store, or undefined when the stored one is good as it is
 */
export function reconcileDefault(
  wanted: KubernetesObject,
  stored: KubernetesObject,
): KubernetesObject | undefined {
  if (getMember(stored.metadata?.annotations ?? {}, AUTOUPDATE) === 'false') return undefined;
  const labels = missingMembers(wanted.metadata?.labels, stored.metadata?.labels);
  const annotations = missingMembers(wanted.metadata?.annotations, stored.metadata?.annotations);
  const content =
    wanted.roleRef === undefined ? missingRules(wanted, stored) : missingSubjects(wanted, stored);
  if (labels === undefined && annotations === undefined && content === undefined) return undefined;
  return {
    ...stored,
    metadata: {
      ...stored.metadata,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    ...content,
  };
}

/** Whether a stored default binding must be deleted and made anew, since a role reference can't change. */
export function mustReplaceBinding(wanted: KubernetesObject, stored: KubernetesObject): boolean {
  if (getMember(stored.metadata?.annotations ?? {}, AUTOUPDATE) === 'false') return false;
  const reference = (object: KubernetesObject) => {
    const { apiGroup, kind, name } = object.roleRef as Record<string, string>;
    return `${apiGroup}/${kind}/${name}`;
  };
  return reference(wanted) !== reference(stored);
}

function missingMembers(
  wanted: Record<string, string> = {},
  stored: Record<string, string> = {},
): Record<string, string> | undefined {
  return Object.keys(wanted).every((key) => Object.hasOwn(stored, key))
    ? undefined
    : { ...wanted, ...stored };
}

function missingRules(
  wanted: KubernetesObject,
  stored: KubernetesObject,
): Partial<KubernetesObject> | undefined {
  // The rules of an aggregated role are the aggregation controller's.
  if (wanted.aggregationRule !== undefined)
    return stored.aggregationRule === undefined ? { aggregationRule: wanted.aggregationRule } : undefined;
  const present = (stored.rules as PolicyRule[] | undefined) ?? [];
  const missing = uncoveredRules(present, (wanted.rules as PolicyRule[] | undefined) ?? []);
  return missing.length === 0 ? undefined : { rules: [...present, ...missing] };
}

function missingSubjects(
  wanted: KubernetesObject,
  stored: KubernetesObject,
): Partial<KubernetesObject> | undefined {
  const key = ({ kind, apiGroup, namespace, name }: Subject) =>
    `${kind}/${apiGroup ?? ''}/${namespace ?? ''}/${name}`;
  const present = (stored.subjects as Subject[] | undefined) ?? [];
  const known = new Set(present.map(key));
  const missing = ((wanted.subjects as Subject[] | undefined) ?? []).filter(
    (subject) => !known.has(key(subject)),
  );
  return missing.length === 0 ? undefined : { subjects: [...present, ...missing] };
}
