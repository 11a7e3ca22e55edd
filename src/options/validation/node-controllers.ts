import type { FlagValues } from '../flags/table.ts';

type NodeValues = Pick<
  FlagValues,
  | 'largeClusterSizeThreshold'
  | 'nodeEvictionRate'
  | 'nodeMonitorGracePeriod'
  | 'nodeMonitorPeriod'
  | 'nodeStartupGracePeriod'
  | 'secondaryNodeEvictionRate'
  | 'unhealthyZoneThreshold'
>;

/** The shortest period, in milliseconds. */
const SHORTEST_PERIOD = 100;

/** Validates the flags of the controllers of nodes. */
export function validateNodeControllers(values: NodeValues): string[] {
  const problems: string[] = [];
  if (values.nodeMonitorPeriod < SHORTEST_PERIOD)
    problems.push(`--node-monitor-period must be at least ${SHORTEST_PERIOD}ms`);
  if (values.nodeMonitorGracePeriod <= 0) problems.push('--node-monitor-grace-period must be greater than 0');
  if (values.nodeStartupGracePeriod <= 0) problems.push('--node-startup-grace-period must be greater than 0');
  if (values.nodeEvictionRate < 0) problems.push('--node-eviction-rate must not be negative');
  if (values.secondaryNodeEvictionRate < 0)
    problems.push('--secondary-node-eviction-rate must not be negative');
  if (values.largeClusterSizeThreshold < 0)
    problems.push('--large-cluster-size-threshold must not be negative');
  if (values.unhealthyZoneThreshold < 0 || values.unhealthyZoneThreshold > 1)
    problems.push('--unhealthy-zone-threshold must be between 0 and 1');
  return problems;
}
