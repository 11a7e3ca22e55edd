/** The settings of controllers of workloads: flags of kube-controller-manager. Workers are objects at the same time. */
export interface WorkloadSettings {
  readonly deploymentWorkers: number;
  readonly cronJobWorkers: number;
  readonly jobWorkers: number;
  readonly replicaSetWorkers: number;
  readonly replicationControllerWorkers: number;
  readonly ttlAfterFinishedWorkers: number;
}
