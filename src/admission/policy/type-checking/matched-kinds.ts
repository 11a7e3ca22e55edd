import type { NamedRuleWithOperations } from '../../../model/generated/admissionregistration-v1.ts';
import type { GroupVersionKind, GroupVersionResource } from '../../../model/object.ts';

/** Maximum number of kinds of one rule. */
const MAXIMUM_KINDS = 10;

/** Finds the kinds of a resource; an empty group stands for any. */
export type KindsOf = (resource: GroupVersionResource) => readonly GroupVersionKind[];

/** The kinds that rules name without wildcards, by group, version and name. */
export function matchedKinds(
  rules: readonly NamedRuleWithOperations[],
  kindsOf: KindsOf,
): GroupVersionKind[] {
  const found = new Map<string, GroupVersionKind>();
  const sorted = (): GroupVersionKind[] =>
    [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind);
  for (const rule of rules) {
    let count = 0;
    for (const resource of resourcesOf(rule))
      for (const kind of kindsOf(resource)) {
        // The separator sorts before all characters of names.
        found.set([kind.group, kind.version, kind.kind].join('\0'), kind);
        count += 1;
        if (count === MAXIMUM_KINDS) return sorted();
      }
  }
  return sorted();
}

const hasWildcard = (names: readonly string[]): boolean => names.some((name) => name.includes('*'));

function* resourcesOf({
  apiGroups = [],
  apiVersions = [],
  resources = [],
}: NamedRuleWithOperations): Generator<GroupVersionResource> {
  if (hasWildcard(apiGroups) || hasWildcard(apiVersions)) return;
  const plain = resources.filter((resource) => !resource.includes('*') && !resource.includes('/'));
  for (const group of [...apiGroups].sort())
    for (const version of [...apiVersions].sort())
      for (const resource of [...plain].sort()) yield { group, version, resource };
}
