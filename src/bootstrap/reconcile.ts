import { uncoveredRules } from '../authorization/rule-coverage.ts';
import type { PolicyRule, Subject } from '../model/generated/rbac-v1.ts';
import { getMember, type KubernetesObject } from '../model/object.ts';
import { runNow } from '../steps/run.ts';

const AUTOUPDATE = 'rbac.authorization.kubernetes.io/autoupdate';

/**
 * Reconciles a stored default object at start: adds missing labels, annotations, rules and subjects, and
 * removes nothing. It skips objects whose autoupdate annotation is `false`.
 * @returns the object to store, or undefined when the stored object is complete
 */
export function reconcileDefault(
  desired: KubernetesObject,
  stored: KubernetesObject,
): KubernetesObject | undefined {
  if (getMember(stored.metadata?.annotations ?? {}, AUTOUPDATE) === 'false') return undefined;
  const labels = missingMembers(desired.metadata?.labels, stored.metadata?.labels);
  const annotations = missingMembers(desired.metadata?.annotations, stored.metadata?.annotations);
  const content =
    desired.roleRef === undefined ? missingRules(desired, stored) : missingSubjects(desired, stored);
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

/** Returns whether a default binding must be deleted and recreated: a role reference is immutable. */
export function mustReplaceBinding(desired: KubernetesObject, stored: KubernetesObject): boolean {
  if (getMember(stored.metadata?.annotations ?? {}, AUTOUPDATE) === 'false') return false;
  const reference = (object: KubernetesObject) => {
    const { apiGroup, kind, name } = object.roleRef as Record<string, string>;
    return `${apiGroup}/${kind}/${name}`;
  };
  return reference(desired) !== reference(stored);
}

function missingMembers(
  desired: Record<string, string> = {},
  stored: Record<string, string> = {},
): Record<string, string> | undefined {
  return Object.keys(desired).every((key) => Object.hasOwn(stored, key))
    ? undefined
    : { ...desired, ...stored };
}

function missingRules(
  desired: KubernetesObject,
  stored: KubernetesObject,
): Partial<KubernetesObject> | undefined {
  // The aggregation controller owns the rules of an aggregated role.
  if (desired.aggregationRule !== undefined)
    return stored.aggregationRule === undefined ? { aggregationRule: desired.aggregationRule } : undefined;
  const present = (stored.rules as PolicyRule[] | undefined) ?? [];
  const missing = runNow(uncoveredRules(present, (desired.rules as PolicyRule[] | undefined) ?? []));
  return missing.length === 0 ? undefined : { rules: [...present, ...missing] };
}

function missingSubjects(
  desired: KubernetesObject,
  stored: KubernetesObject,
): Partial<KubernetesObject> | undefined {
  const key = ({ kind, apiGroup, namespace, name }: Subject) =>
    `${kind}/${apiGroup ?? ''}/${namespace ?? ''}/${name}`;
  const present = (stored.subjects as Subject[] | undefined) ?? [];
  const known = new Set(present.map(key));
  const missing = ((desired.subjects as Subject[] | undefined) ?? []).filter(
    (subject) => !known.has(key(subject)),
  );
  return missing.length === 0 ? undefined : { subjects: [...present, ...missing] };
}
