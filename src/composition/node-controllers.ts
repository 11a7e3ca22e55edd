import type { OptionSlice } from '../options/flags/table.ts';
import type { NodeControllerNeeds } from '../workloads/node-controllers.ts';

/** Flags of kube-controller-manager that the controllers of nodes take. */
type NodeControllerOptions = OptionSlice<
  | 'largeClusterSizeThreshold'
  | 'nodeEvictionRate'
  | 'nodeMonitorGracePeriod'
  | 'nodeMonitorPeriod'
  | 'nodeStartupGracePeriod'
  | 'secondaryNodeEvictionRate'
  | 'terminatedPodGcThreshold'
  | 'unhealthyZoneThreshold'
>;

/** The settings of the controllers of nodes. */
export const nodeControllerSettings = ({
  largeClusterSizeThreshold,
  nodeEvictionRate,
  nodeMonitorGracePeriod,
  nodeMonitorPeriod,
  nodeStartupGracePeriod,
  secondaryNodeEvictionRate,
  terminatedPodGcThreshold,
  unhealthyZoneThreshold,
}: NodeControllerOptions): Omit<NodeControllerNeeds, 'isLiveNode'> => ({
  nodeLifecycle: {
    monitorPeriod: nodeMonitorPeriod,
    monitorGracePeriod: nodeMonitorGracePeriod,
    startupGracePeriod: nodeStartupGracePeriod,
    evictionRate: nodeEvictionRate,
    secondaryEvictionRate: secondaryNodeEvictionRate,
    largeClusterThreshold: largeClusterSizeThreshold,
    unhealthyZoneThreshold,
  },
  keptFinishedPods: terminatedPodGcThreshold,
});
