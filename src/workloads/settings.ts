import type { AutoscalerSettings } from './horizontal-pod-autoscaler/settings.ts';

/** The settings of controllers of workloads: flags of kube-controller-manager. Workers are objects at the same time. */
export interface WorkloadSettings {
  readonly autoscalers: AutoscalerSettings;
  readonly cronJobWorkers: number;
  readonly daemonSetWorkers: number;
  readonly deploymentWorkers: number;
  readonly jobWorkers: number;
  /** ReplicaSets and Deployments count the Pods that terminate: gate DeploymentReplicaSetTerminatingReplicas. */
  readonly countsTerminating: boolean;
  readonly replicaSetWorkers: number;
  readonly replicationControllerWorkers: number;
  readonly statefulSets: StatefulSetSettings;
  readonly ttlAfterFinishedWorkers: number;
}

export interface StatefulSetSettings {
  readonly workers: number;
  /** Sets say how many Pods of an update may be unavailable: gate MaxUnavailableStatefulSet. */
  readonly readsMaxUnavailable: boolean;
}
