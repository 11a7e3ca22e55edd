import type { OptionSlice } from '../options/flags/table.ts';
import type { WorkloadSettings } from '../workloads/settings.ts';

/** Flags of kube-controller-manager that controllers take. */
type ControllerOptions = OptionSlice<
  | 'concurrentCronJobSyncs'
  | 'concurrentDeploymentSyncs'
  | 'concurrentJobSyncs'
  | 'concurrentRcSyncs'
  | 'concurrentReplicasetSyncs'
  | 'concurrentStatefulsetSyncs'
  | 'concurrentTtlAfterFinishedSyncs'
>;

/** The settings of the controllers of workloads. */
export const workloadSettings = ({
  concurrentDeploymentSyncs,
  concurrentRcSyncs,
  concurrentReplicasetSyncs,
  concurrentCronJobSyncs,
  concurrentJobSyncs,
  concurrentTtlAfterFinishedSyncs,
}: ControllerOptions): WorkloadSettings => ({
  deploymentWorkers: concurrentDeploymentSyncs,
  replicationControllerWorkers: concurrentRcSyncs,
  replicaSetWorkers: concurrentReplicasetSyncs,
  cronJobWorkers: concurrentCronJobSyncs,
  jobWorkers: concurrentJobSyncs,
  ttlAfterFinishedWorkers: concurrentTtlAfterFinishedSyncs,
});
