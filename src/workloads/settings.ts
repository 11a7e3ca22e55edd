/** The settings of controllers of workloads: flags of kube-controller-manager. Workers are objects at the same time. */
export interface WorkloadSettings {
  readonly deploymentWorkers: number;
  readonly cronJobWorkers: number;
  readonly jobWorkers: number;
  readonly replicaSetWorkers: number;
  readonly replicationControllerWorkers: number;
  readonly statefulSetWorkers: number;
  readonly ttlAfterFinishedWorkers: number;
  /** Whether StatefulSets say how many Pods of an update may be unavailable. */
  readonly readsMaxUnavailable: boolean;
}
