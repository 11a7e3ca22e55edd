/** The settings of the node lifecycle controller: flags of kube-controller-manager. Times are milliseconds of the cluster. */
export interface NodeLifecycleSettings {
  /** Nodes are judged at multiples of it. */
  readonly monitorPeriod: number;
  /** A node that has said nothing for so long is not known to be ready any more. */
  readonly monitorGracePeriod: number;
  /** The same for a node that has never said anything. */
  readonly startupGracePeriod: number;
  /** Nodes a second whose Pods are evicted, in each zone that is healthy or down as a whole. */
  readonly evictionRate: number;
  /** The same in a zone that is partly down and large. */
  readonly secondaryEvictionRate: number;
  /** A zone with more nodes is large; in a smaller one that is partly down nothing is evicted. */
  readonly largeClusterThreshold: number;
  /** A zone with such a share of nodes that are not ready, and more than two of them, is partly down. */
  readonly unhealthyZoneThreshold: number;
}
