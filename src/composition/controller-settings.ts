import type { FeatureGates } from '../options/feature-gates.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { WorkloadSettings } from '../workloads/settings.ts';

/** Flags of kube-controller-manager that controllers take. */
type ControllerOptions = OptionSlice<
  | 'concurrentCronJobSyncs'
  | 'concurrentDaemonsetSyncs'
  | 'concurrentDeploymentSyncs'
  | 'concurrentHorizontalPodAutoscalerSyncs'
  | 'concurrentJobSyncs'
  | 'concurrentRcSyncs'
  | 'concurrentReplicasetSyncs'
  | 'concurrentStatefulsetSyncs'
  | 'concurrentTtlAfterFinishedSyncs'
  | 'horizontalPodAutoscalerCpuInitializationPeriod'
  | 'horizontalPodAutoscalerDownscaleStabilization'
  | 'horizontalPodAutoscalerInitialReadinessDelay'
  | 'horizontalPodAutoscalerSyncPeriod'
  | 'horizontalPodAutoscalerTolerance'
>;

/** The settings of the controllers of workloads. */
export const workloadSettings = (
  {
    concurrentCronJobSyncs,
    concurrentDaemonsetSyncs,
    concurrentDeploymentSyncs,
    concurrentHorizontalPodAutoscalerSyncs,
    concurrentJobSyncs,
    concurrentRcSyncs,
    concurrentReplicasetSyncs,
    concurrentStatefulsetSyncs,
    concurrentTtlAfterFinishedSyncs,
    horizontalPodAutoscalerCpuInitializationPeriod,
    horizontalPodAutoscalerDownscaleStabilization,
    horizontalPodAutoscalerInitialReadinessDelay,
    horizontalPodAutoscalerSyncPeriod,
    horizontalPodAutoscalerTolerance,
  }: ControllerOptions,
  gates: FeatureGates,
): WorkloadSettings => ({
  autoscalers: {
    workers: concurrentHorizontalPodAutoscalerSyncs,
    syncPeriod: horizontalPodAutoscalerSyncPeriod,
    downscaleStabilization: horizontalPodAutoscalerDownscaleStabilization,
    tolerance: horizontalPodAutoscalerTolerance,
    cpuInitializationPeriod: horizontalPodAutoscalerCpuInitializationPeriod,
    initialReadinessDelay: horizontalPodAutoscalerInitialReadinessDelay,
  },
  cronJobWorkers: concurrentCronJobSyncs,
  daemonSetWorkers: concurrentDaemonsetSyncs,
  deploymentWorkers: concurrentDeploymentSyncs,
  jobWorkers: concurrentJobSyncs,
  countsTerminating: gates.enabled('DeploymentReplicaSetTerminatingReplicas'),
  replicationControllerWorkers: concurrentRcSyncs,
  replicaSetWorkers: concurrentReplicasetSyncs,
  statefulSets: {
    workers: concurrentStatefulsetSyncs,
    readsMaxUnavailable: gates.enabled('MaxUnavailableStatefulSet'),
  },
  ttlAfterFinishedWorkers: concurrentTtlAfterFinishedSyncs,
});
