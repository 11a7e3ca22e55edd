import { isSameCondition } from '../../model/conditions.ts';
import type { NamespaceCondition } from '../../model/generated/core-v1.ts';

/** The outcome of deleting the content of a namespace. */
export interface ContentDeletion {
  /** Remaining objects by `resource.group`. */
  readonly remaining: ReadonlyMap<string, number>;
  /** Remaining objects by finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Errors of failed deletions. */
  readonly failures: readonly string[];
  /** `group/version` of extension servers whose resources are not known at present. */
  readonly undiscovered: readonly string[];
}

const formatCounts = (
  counts: ReadonlyMap<string, number>,
  text: (name: string, count: number) => string,
): string =>
  [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => text(name, count))
    .join(', ');

/** The conditions of a terminating namespace, in order. */
export function deletionConditions({
  remaining,
  finalizers,
  failures,
  undiscovered,
}: ContentDeletion): NamespaceCondition[] {
  return [
    undiscovered.length > 0
      ? condition(
          'NamespaceDeletionDiscoveryFailure',
          true,
          'DiscoveryFailed',
          `Discovery failed for some groups, ${undiscovered.length} failing: unable to retrieve the complete list of server APIs: ${undiscovered.map((version) => `${version}: stale GroupVersion discovery: ${version}`).join(', ')}`,
        )
      : condition(
          'NamespaceDeletionDiscoveryFailure',
          false,
          'ResourcesDiscovered',
          'All resources successfully discovered',
        ),
    condition(
      'NamespaceDeletionGroupVersionParsingFailure',
      false,
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    failures.length > 0
      ? condition(
          'NamespaceDeletionContentFailure',
          true,
          'ContentDeletionFailed',
          `Failed to delete all resource types, ${failures.length} remaining: ${failures.join(', ')}`,
        )
      : condition(
          'NamespaceDeletionContentFailure',
          false,
          'ContentDeleted',
          'All content successfully deleted, may be waiting on finalization',
        ),
    remaining.size > 0
      ? condition(
          'NamespaceContentRemaining',
          true,
          'SomeResourcesRemain',
          `Some resources are remaining: ${formatCounts(remaining, (name, count) => `${name} has ${count} resource instances`)}`,
        )
      : condition('NamespaceContentRemaining', false, 'ContentRemoved', 'All content successfully removed'),
    finalizers.size > 0
      ? condition(
          'NamespaceFinalizersRemaining',
          true,
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${formatCounts(finalizers, (name, count) => `${name} in ${count} resource instances`)}`,
        )
      : condition(
          'NamespaceFinalizersRemaining',
          false,
          'ContentHasNoFinalizers',
          'All content-preserving finalizers finished',
        ),
  ];
}

const condition = (type: string, isTrue: boolean, reason: string, message: string): NamespaceCondition => ({
  type,
  status: isTrue ? 'True' : 'False',
  reason,
  message,
});

/**
 * Merges conditions; unchanged ones keep their transition time.
 * @returns undefined when nothing changes
 */
export function mergeConditions(
  current: readonly NamespaceCondition[],
  desired: readonly NamespaceCondition[],
  now: string,
): NamespaceCondition[] | undefined {
  const merged = new Map(current.map((one) => [one.type ?? '', one]));
  let changed = false;
  for (const one of desired) {
    const before = merged.get(one.type ?? '');
    if (isSameCondition(before, one)) continue;
    changed = true;
    merged.set(one.type ?? '', { ...one, lastTransitionTime: now });
  }
  return changed ? [...merged.values()] : undefined;
}
