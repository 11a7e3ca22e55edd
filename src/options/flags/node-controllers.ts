import { duration, float, integer } from './flag.ts';

/** Flags of kube-controller-manager for the controllers of nodes and of Pods on them, with its names and defaults. */
export const NODE_CONTROLLERS = {
  largeClusterSizeThreshold: integer(
    50,
    'Zones with more nodes are large: while one is partly down, its Pods are evicted at --secondary-node-eviction-rate; in smaller ones none are.',
  ),
  nodeEvictionRate: float(
    0.1,
    'Nodes a second, in each zone, whose Pods are evicted because the node is not ready.',
  ),
  nodeMonitorGracePeriod: duration(
    '50s',
    'Time without a sign of life after which a node is not known to be ready any more.',
  ),
  nodeMonitorPeriod: duration('5s', 'Nodes are judged at multiples of it.'),
  nodeStartupGracePeriod: duration(
    '1m',
    'The same as --node-monitor-grace-period for a node that has never written its status.',
  ),
  secondaryNodeEvictionRate: float(
    0.01,
    'The same as --node-eviction-rate in large zones that are partly down.',
  ),
  terminatedPodGcThreshold: integer(
    12_500,
    'Number of finished Pods that are kept; the oldest beyond it are deleted. 0 or less: all are kept.',
  ),
  unhealthyZoneThreshold: float(
    0.55,
    'Share of nodes that are not ready, and more than two of them, from which on a zone is partly down.',
  ),
};
