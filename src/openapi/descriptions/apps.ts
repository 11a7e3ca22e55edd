/** Kinds of the group apps. */
export const APPS: Readonly<Record<string, string>> = {
  ControllerRevision: 'Snapshot of the state of a stateful set or daemon set, for rollbacks.',
  'ControllerRevision.revision': 'Number of the revision.',
  'ControllerRevision.data': 'Serialized state.',
  DaemonSet: 'Runs a pod on each selected node.',
  DaemonSetSpec: 'Specification of a daemon set.',
  'DaemonSetSpec.selector': 'Label selector of the pods. Must match the labels of the template.',
  'DaemonSetSpec.template': 'Template of the pods.',
  'DaemonSetSpec.updateStrategy': 'Strategy for updates of the template.',
  'DaemonSetSpec.minReadySeconds':
    'Seconds for which a new pod must be ready before it counts as available. Default: 0.',
  'DaemonSetSpec.revisionHistoryLimit': 'Number of old revisions to keep for rollbacks. Default: 10.',
  Deployment: 'Manages replicas of a pod with declarative updates.',
  DeploymentSpec: 'Specification of a deployment.',
  'DeploymentSpec.replicas': 'Desired number of pods. Default: 1.',
  'DeploymentSpec.selector':
    'Label selector of the pods. Must match the labels of the template; cannot be updated.',
  'DeploymentSpec.template': 'Template of the pods.',
  'DeploymentSpec.strategy': 'Strategy for replacing existing pods.',
  'DeploymentSpec.minReadySeconds':
    'Seconds for which a new pod must be ready before it counts as available. Default: 0.',
  'DeploymentSpec.revisionHistoryLimit': 'Number of old replica sets to keep for rollbacks. Default: 10.',
  'DeploymentSpec.paused': 'Whether rollouts are paused.',
  'DeploymentSpec.progressDeadlineSeconds':
    'Seconds without progress after which a rollout counts as failed. Default: 600.',
  DeploymentStrategy: 'Strategy for replacing existing pods.',
  'DeploymentStrategy.type':
    'RollingUpdate replaces pods gradually; Recreate deletes all pods before it creates new ones. Default: RollingUpdate.',
  'DeploymentStrategy.rollingUpdate': 'Parameters of a rolling update.',
  RollingUpdateDeployment: 'Parameters of a rolling update.',
  'RollingUpdateDeployment.maxUnavailable':
    'Maximum unavailable pods, as a number or percentage. Default: 25%.',
  'RollingUpdateDeployment.maxSurge':
    'Maximum pods above the desired number, as a number or percentage. Default: 25%.',
  DeploymentStatus: 'Status of a deployment.',
  'DeploymentStatus.replicas': 'Number of pods.',
  'DeploymentStatus.updatedReplicas': 'Number of pods with the current template.',
  'DeploymentStatus.readyReplicas': 'Number of ready pods.',
  'DeploymentStatus.availableReplicas': 'Number of available pods: ready for at least minReadySeconds.',
  'DeploymentStatus.unavailableReplicas': 'Number of unavailable pods.',
  'DeploymentStatus.collisionCount':
    'Number of hash collisions, from which the name of the next replica set is made.',
  'DeploymentStatus.terminatingReplicas':
    'Number of pods that are terminating: deleted, but not ended. Needs the gate DeploymentReplicaSetTerminatingReplicas.',
  ReplicaSet: 'Maintains a number of identical pods. Usually managed by a deployment.',
  ReplicaSetSpec: 'Specification of a replica set.',
  'ReplicaSetSpec.replicas': 'Desired number of pods. Default: 1.',
  'ReplicaSetSpec.selector': 'Label selector of the pods. Must match the labels of the template.',
  'ReplicaSetSpec.template': 'Template of the pods.',
  'ReplicaSetSpec.minReadySeconds':
    'Seconds for which a new pod must be ready before it counts as available. Default: 0.',
  StatefulSet: 'Manages pods that each have a stable name and persistent storage.',
  StatefulSetSpec: 'Specification of a stateful set.',
  'StatefulSetSpec.replicas': 'Desired number of pods. Default: 1.',
  'StatefulSetSpec.selector': 'Label selector of the pods. Must match the labels of the template.',
  'StatefulSetSpec.template': 'Template of the pods.',
  'StatefulSetSpec.serviceName': 'Headless service that defines the DNS names of the pods.',
  'StatefulSetSpec.volumeClaimTemplates': 'Templates of the claims that are created for each pod.',
  'StatefulSetSpec.podManagementPolicy':
    'OrderedReady creates pods one after the other, Parallel all at once. Default: OrderedReady.',
  'StatefulSetSpec.updateStrategy': 'Strategy for updates of the template.',
  'StatefulSetSpec.persistentVolumeClaimRetentionPolicy':
    'Whether claims are retained when the stateful set is deleted or scaled down.',
  'StatefulSetSpec.ordinals': 'Numbering of the pods.',
  'StatefulSetSpec.revisionHistoryLimit': 'Number of old revisions to keep for rollbacks. Default: 10.',
  'StatefulSetSpec.minReadySeconds':
    'Seconds for which a new pod must be ready before it counts as available. Default: 0.',
  StatefulSetOrdinals: 'Numbers of the pods.',
  'StatefulSetOrdinals.start':
    'Number of the first pod: pods are numbered from it to start + replicas - 1. Default: 0.',
  StatefulSetPersistentVolumeClaimRetentionPolicy:
    'What becomes of the claims made from volumeClaimTemplates.',
  'StatefulSetPersistentVolumeClaimRetentionPolicy.whenDeleted':
    'Retain or Delete: what happens to claims when the stateful set is deleted. Default: Retain.',
  'StatefulSetPersistentVolumeClaimRetentionPolicy.whenScaled':
    'Retain or Delete: what happens to claims of pods that scaling down removes. Default: Retain.',
  StatefulSetUpdateStrategy: 'Strategy for replacing existing pods.',
  'StatefulSetUpdateStrategy.type':
    'RollingUpdate replaces pods from the highest number down; OnDelete waits until they are deleted; Recreate, in later releases, deletes all pods first. Default: RollingUpdate.',
  'StatefulSetUpdateStrategy.rollingUpdate': 'Parameters of a rolling update.',
  RollingUpdateStatefulSetStrategy: 'Parameters of a rolling update.',
  'RollingUpdateStatefulSetStrategy.partition':
    'Number from which pods are updated; those below keep their revision. Default: 0.',
  'RollingUpdateStatefulSetStrategy.maxUnavailable':
    'Maximum unavailable pods during an update, as a number or percentage of replicas; not 0. Needs the gate MaxUnavailableStatefulSet. Default: 1.',
  StatefulSetStatus: 'Status of a stateful set.',
  'StatefulSetStatus.replicas': 'Number of pods.',
  'StatefulSetStatus.readyReplicas': 'Number of ready pods.',
  'StatefulSetStatus.currentReplicas': 'Number of pods of currentRevision.',
  'StatefulSetStatus.updatedReplicas': 'Number of pods of updateRevision.',
  'StatefulSetStatus.currentRevision': 'Revision that pods had before the update, in [0, currentReplicas).',
  'StatefulSetStatus.updateRevision':
    'Revision of the current template, in [replicas - updatedReplicas, replicas).',
  'StatefulSetStatus.collisionCount':
    'Number of hash collisions, from which names of further revisions are made.',
  'StatefulSetStatus.availableReplicas': 'Number of available pods: ready for at least minReadySeconds.',
  StatefulSetCondition: 'State of a stateful set at its last change.',
  'StatefulSetCondition.type': 'Name of the condition, unique in the list.',
  ReplicaSetStatus: 'Status of a replica set.',
  'ReplicaSetStatus.replicas': 'Number of pods that are not terminating.',
  'ReplicaSetStatus.fullyLabeledReplicas': 'Number of pods that have all labels of the template.',
  'ReplicaSetStatus.readyReplicas': 'Number of ready pods.',
  'ReplicaSetStatus.availableReplicas': 'Number of available pods: ready for at least minReadySeconds.',
  'ReplicaSetStatus.terminatingReplicas':
    'Number of pods that are terminating: deleted, but not ended. Needs the gate DeploymentReplicaSetTerminatingReplicas.',
  ReplicaSetCondition: 'State of a replica set at its last change.',
  'ReplicaSetCondition.type': 'ReplicaFailure: a pod could not be created or deleted.',
  DeploymentCondition: 'State of a deployment at its last change.',
  'DeploymentCondition.type': 'Available, Progressing or ReplicaFailure.',
  DaemonSetStatus: 'Status of a daemon set.',
  'DaemonSetStatus.currentNumberScheduled': 'Number of nodes that run a pod and should.',
  'DaemonSetStatus.numberMisscheduled': 'Number of nodes that run a pod and should not.',
  'DaemonSetStatus.desiredNumberScheduled': 'Number of nodes that should run a pod.',
  'DaemonSetStatus.numberReady': 'Number of nodes that should run a pod and have a ready one.',
  'DaemonSetStatus.updatedNumberScheduled': 'Number of nodes that run a pod of the current template.',
  'DaemonSetStatus.numberAvailable':
    'Number of nodes with an available pod: ready for at least minReadySeconds.',
  'DaemonSetStatus.numberUnavailable':
    'Number of nodes that should run a pod and have none that is available.',
  'DaemonSetStatus.collisionCount':
    'Number of hash collisions, from which the name of the next revision is made.',
  DaemonSetCondition: 'State of a daemon set at its last change.',
  'DaemonSetCondition.type': 'Name of the condition, unique in the list.',
  DaemonSetUpdateStrategy: 'Strategy for replacing existing pods.',
  'DaemonSetUpdateStrategy.type':
    'RollingUpdate replaces pods node by node; OnDelete waits until they are deleted. Default: RollingUpdate.',
  'DaemonSetUpdateStrategy.rollingUpdate': 'Parameters of a rolling update.',
  RollingUpdateDaemonSet: 'Parameters of a rolling update.',
  'RollingUpdateDaemonSet.maxUnavailable':
    'Maximum nodes without an available pod during an update, as a number or percentage. Not 0 if maxSurge is 0. Default: 1.',
  'RollingUpdateDaemonSet.maxSurge':
    'Maximum nodes that run an old and a new pod at the same time, as a number or percentage. Not 0 if maxUnavailable is 0. Default: 0.',
};
