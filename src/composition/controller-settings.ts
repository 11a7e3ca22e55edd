import type { FeatureGates } from '../options/feature-gates.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { WorkloadSettings } from '../workloads/settings.ts';

/** Flags of kube-controller-manager that controllers take. */
type ControllerOptions = OptionSlice<
  | 'concurrentCronJobSyncs'
  | 'concurrentDaemonsetSyncs'
  | 'concurrentDeploymentSyncs'
  | 'concurrentJobSyncs'
  | 'concurrentRcSyncs'
  | 'concurrentReplicasetSyncs'
  | 'concurrentStatefulsetSyncs'
  | 'concurrentTtlAfterFinishedSyncs'
>;

/** The settings of the controllers of workloads. */
export const workloadSettings = (
  {
    concurrentCronJobSyncs,
    concurrentDaemonsetSyncs,
    concurrentDeploymentSyncs,
    concurrentJobSyncs,
    concurrentRcSyncs,
    concurrentReplicasetSyncs,
    concurrentStatefulsetSyncs,
    concurrentTtlAfterFinishedSyncs,
  }: ControllerOptions,
  gates: FeatureGates,
): WorkloadSettings => ({
  cronJobWorkers: concurrentCronJobSyncs,
  daemonSetWorkers: concurrentDaemonsetSyncs,
  deploymentWorkers: concurrentDeploymentSyncs,
  jobWorkers: concurrentJobSyncs,
  replicationControllerWorkers: concurrentRcSyncs,
  replicaSetWorkers: concurrentReplicasetSyncs,
  statefulSets: {
    workers: concurrentStatefulsetSyncs,
    readsMaxUnavailable: gates.enabled('MaxUnavailableStatefulSet'),
  },
  ttlAfterFinishedWorkers: concurrentTtlAfterFinishedSyncs,
});
