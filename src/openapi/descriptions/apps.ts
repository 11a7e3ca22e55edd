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
};
