import type { Pod, PodAffinityTerm } from './pod-types.ts';

/**
 * `matchLabelKeys` and `mismatchLabelKeys` of affinity terms become requirements with the new pod's own label
 * values.
 */
export function expandAffinityLabelKeys(pod: Pod): void {
  const labels = pod.metadata?.labels ?? {};
  for (const affinity of [pod.spec?.affinity?.podAffinity, pod.spec?.affinity?.podAntiAffinity]) {
    for (const term of affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) expand(term, labels);
    for (const { podAffinityTerm } of affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
      if (podAffinityTerm) expand(podAffinityTerm, labels);
  }
}

function expand(term: PodAffinityTerm, labels: Readonly<Record<string, string>>): void {
  // Without a selector nothing is selected, and requirements would change that: validation refuses it.
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
