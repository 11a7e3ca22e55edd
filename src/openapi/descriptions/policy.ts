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
  PodDisruptionBudgetStatus: 'Status of a disruption budget.',
  'PodDisruptionBudgetStatus.disruptedPods':
    'Pods whose eviction was allowed but whose deletion has not yet been seen, with the time. They count as disrupted; forgotten after 2 minutes.',
  'PodDisruptionBudgetStatus.disruptionsAllowed': 'Number of pods that may be evicted now.',
  'PodDisruptionBudgetStatus.currentHealthy': 'Number of healthy pods.',
  'PodDisruptionBudgetStatus.desiredHealthy': 'Number of pods that must be healthy.',
  'PodDisruptionBudgetStatus.expectedPods': 'Number of pods that the budget counts.',
};
