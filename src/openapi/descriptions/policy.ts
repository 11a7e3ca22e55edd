/** Kinds of the group policy. */
export const POLICY: Readonly<Record<string, string>> = {
  PodDisruptionBudget: 'Limits the number of pods that are evicted at the same time.',
  PodDisruptionBudgetSpec: 'Specification of a disruption budget.',
  'PodDisruptionBudgetSpec.selector': 'Label selector of the pods.',
  'PodDisruptionBudgetSpec.minAvailable':
    'Minimum available pods after an eviction, as a number or percentage.',
  'PodDisruptionBudgetSpec.maxUnavailable':
    'Maximum unavailable pods after an eviction, as a number or percentage.',
  'PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy':
    'Whether unhealthy pods can be evicted regardless of the budget.',
};
