import type { Pod, PodAffinityTerm } from '../../../model/generated/core-v1.ts';

/**
 * Adds `matchLabelKeys` and `mismatchLabelKeys` to the label selectors, with the values of the new pod's
 * labels.
 */
export function expandAffinityLabelKeys(pod: Pod): void {
  const labels = pod.metadata?.labels ?? {};
  for (const affinity of [pod.spec?.affinity?.podAffinity, pod.spec?.affinity?.podAntiAffinity]) {
    for (const term of affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) expand(term, labels);
    for (const { podAffinityTerm } of affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
      if (podAffinityTerm) expand(podAffinityTerm, labels);
  }
}

/** Adds `matchLabelKeys` of topology spread constraints to their selectors, like {@link expandAffinityLabelKeys}. */
export function expandSpreadLabelKeys({ metadata, spec }: Pod): void {
  for (const constraint of spec?.topologySpreadConstraints ?? []) expand(constraint, metadata?.labels ?? {});
}

function expand(
  term: Pick<PodAffinityTerm, 'labelSelector' | 'matchLabelKeys' | 'mismatchLabelKeys'>,
  labels: Readonly<Record<string, string>>,
): void {
  // A term without a selector matches no pods; validation rejects keys without one.
  if (term.labelSelector === undefined) return;
  for (const [keys, operator] of [
    [term.matchLabelKeys, 'In'],
    [term.mismatchLabelKeys, 'NotIn'],
  ] as const) {
    for (const key of keys ?? []) {
      if (!Object.hasOwn(labels, key)) continue;
      term.labelSelector.matchExpressions = [
        ...(term.labelSelector.matchExpressions ?? []),
        { key, operator, values: [labels[key]!] },
      ];
    }
  }
}
