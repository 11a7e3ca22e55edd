import type { KubernetesObject } from '../../model/object.ts';

/** Maximum value of a priority class that a client creates. */
export const MAXIMUM_USER_PRIORITY = 1_000_000_000;
export const SYSTEM_CLUSTER_CRITICAL = 'system-cluster-critical';
export const SYSTEM_NODE_CRITICAL = 'system-node-critical';

export const bootstrapPriorityClasses = (): KubernetesObject[] => [
  systemClass(
    SYSTEM_CLUSTER_CRITICAL,
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ),
  systemClass(
    SYSTEM_NODE_CRITICAL,
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ),
];

const systemClass = (name: string, value: number, description: string): KubernetesObject => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name, generation: 1 },
  value,
  description,
  preemptionPolicy: 'PreemptLowerPriority',
});
