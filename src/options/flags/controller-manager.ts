import { bool, duration, float, integer, noEffect, text } from './flag.ts';

const workers = (initial: number, objects: string) =>
  integer(initial, `${objects} that are reconciled at the same time.`);

/** Flags of kube-controller-manager, with its names and defaults. */
export const CONTROLLER_MANAGER = {
  allocateNodeCidrs: bool(false, 'Assign ranges of Pod addresses to nodes.', {
    effect: 'refused',
    because: 'nodes get no ranges of addresses',
  }),
  clusterCidr: text(
    '',
    'Ranges of the addresses of Pods.',
    noEffect('ranges are assigned to nodes with --allocate-node-cidrs only'),
  ),
  concurrentCronJobSyncs: workers(5, 'CronJobs'),
  concurrentDaemonsetSyncs: workers(2, 'DaemonSets'),
  concurrentDeploymentSyncs: workers(5, 'Deployments'),
  concurrentEphemeralvolumeSyncs: workers(5, 'Pods with ephemeral volumes'),
  concurrentHorizontalPodAutoscalerSyncs: workers(5, 'HorizontalPodAutoscalers'),
  concurrentJobSyncs: workers(5, 'Jobs'),
  concurrentRcSyncs: workers(5, 'ReplicationControllers'),
  concurrentReplicasetSyncs: workers(5, 'ReplicaSets'),
  concurrentStatefulsetSyncs: workers(5, 'StatefulSets'),
  concurrentTtlAfterFinishedSyncs: workers(5, 'Finished Jobs'),
  enableDynamicProvisioning: bool(true, 'Have volumes made for claims of storage classes.'),
  horizontalPodAutoscalerCpuInitializationPeriod: duration(
    '5m',
    'Time after the start of a Pod in which its use of processors counts only if it is ready and was measured since.',
  ),
  horizontalPodAutoscalerDownscaleStabilization: duration(
    '5m',
    'Pods are removed only when no decision of this time wanted to keep them.',
  ),
  horizontalPodAutoscalerInitialReadinessDelay: duration(
    '30s',
    'Time after the start of a Pod in which its first change of readiness is expected.',
  ),
  horizontalPodAutoscalerSyncPeriod: duration(
    '15s',
    'Time between two decisions about the number of Pods of an object.',
  ),
  horizontalPodAutoscalerTolerance: float(
    0.1,
    'Share of its target by which a metric may differ from it without effect.',
  ),
  pvclaimbinderSyncPeriod: duration(
    '15s',
    'Time after which claims without volume, and volumes that cannot be deleted, are looked at again.',
  ),
};
