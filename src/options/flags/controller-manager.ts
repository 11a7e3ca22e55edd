import { integer } from './flag.ts';

const workers = (initial: number, objects: string) =>
  integer(initial, `${objects} that are reconciled at the same time.`);

/** Flags of kube-controller-manager, with its names and defaults. */
export const CONTROLLER_MANAGER = {
  concurrentDeploymentSyncs: workers(5, 'Deployments'),
  concurrentRcSyncs: workers(5, 'ReplicationControllers'),
  concurrentReplicasetSyncs: workers(5, 'ReplicaSets'),
};
