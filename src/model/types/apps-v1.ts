import type { Declarations } from '../declare.ts';

export default {
  family: 'apps_v1',
  group: 'apps',
  version: 'v1',
  protobuf: 'k8s.io.api.apps.v1',
  types: `
ControllerRevision kind
  metadata 1 meta_v1.ObjectMeta
  data 2 runtime.RawExtension required@1.37
  revision 3 int64 required@-1.37 shown@1.37 default@1.37=0

ControllerRevisionList kind
  metadata 1 meta_v1.ListMeta
  items 2 []ControllerRevision required

DaemonSet kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 DaemonSetSpec required@1.37
  status 3 DaemonSetStatus

DaemonSetCondition
  type 1 string required@-1.37 shown@1.37 default@1.37="" go=DaemonSetConditionType
  status 2 string required@-1.37 shown@1.37 default@1.37="" go=ConditionStatus
  lastTransitionTime 3 meta_v1.Time
  reason 4 string
  message 5 string

DaemonSetList kind
  metadata 1 meta_v1.ListMeta
  items 2 []DaemonSet required

DaemonSetSpec
  selector 1 *meta_v1.LabelSelector required shown
  template 2 core_v1.PodTemplateSpec required
  updateStrategy 3 DaemonSetUpdateStrategy
  minReadySeconds 4 int32
  revisionHistoryLimit 6 *int32

DaemonSetStatus
  currentNumberScheduled 1 int32 required
  numberMisscheduled 2 int32 required
  desiredNumberScheduled 3 int32 required
  numberReady 4 int32 required
  observedGeneration 5 int64
  updatedNumberScheduled 6 int32
  numberAvailable 7 int32
  numberUnavailable 8 int32
  collisionCount 9 *int32
  conditions 10 []DaemonSetCondition list=map(type) patch=merge

DaemonSetUpdateStrategy
  type 1 string enum=OnDelete|RollingUpdate go=DaemonSetUpdateStrategyType
  rollingUpdate 2 *RollingUpdateDaemonSet

Deployment kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 DeploymentSpec required@1.37
  status 3 DeploymentStatus

DeploymentCondition
  @json type status lastUpdateTime lastTransitionTime reason message
  type 1 string required@-1.37 shown@1.37 default@1.37="" go=DeploymentConditionType
  status 2 string required@-1.37 shown@1.37 default@1.37="" go=ConditionStatus
  reason 4 string
  message 5 string
  lastUpdateTime 6 meta_v1.Time
  lastTransitionTime 7 meta_v1.Time

DeploymentList kind
  metadata 1 meta_v1.ListMeta
  items 2 []Deployment required

DeploymentSpec
  replicas 1 *int32
  selector 2 *meta_v1.LabelSelector required shown
  template 3 core_v1.PodTemplateSpec required
  strategy 4 DeploymentStrategy patch=retainKeys
  minReadySeconds 5 int32
  revisionHistoryLimit 6 *int32
  paused 7 boolean
  progressDeadlineSeconds 9 *int32

DeploymentStatus
  @json observedGeneration replicas updatedReplicas readyReplicas availableReplicas unavailableReplicas terminatingReplicas conditions collisionCount
  observedGeneration 1 int64
  replicas 2 int32
  updatedReplicas 3 int32
  availableReplicas 4 int32
  unavailableReplicas 5 int32
  conditions 6 []DeploymentCondition list=map(type) patch=merge
  readyReplicas 7 int32
  collisionCount 8 *int32
  terminatingReplicas 9 *int32 since=1.33

DeploymentStrategy
  type 1 string enum=Recreate|RollingUpdate go=DeploymentStrategyType
  rollingUpdate 2 *RollingUpdateDeployment

ReplicaSet kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 ReplicaSetSpec required@1.37
  status 3 ReplicaSetStatus

ReplicaSetCondition
  type 1 string required@-1.37 shown@1.37 default@1.37="" go=ReplicaSetConditionType
  status 2 string required@-1.37 shown@1.37 default@1.37="" go=ConditionStatus
  lastTransitionTime 3 meta_v1.Time
  reason 4 string
  message 5 string

ReplicaSetList kind
  metadata 1 meta_v1.ListMeta
  items 2 []ReplicaSet required

ReplicaSetSpec
  @json replicas minReadySeconds selector template
  replicas 1 *int32
  selector 2 *meta_v1.LabelSelector required shown
  template 3 core_v1.PodTemplateSpec
  minReadySeconds 4 int32

ReplicaSetStatus
  @json replicas fullyLabeledReplicas readyReplicas availableReplicas terminatingReplicas observedGeneration conditions
  replicas 1 int32 required
  fullyLabeledReplicas 2 int32
  observedGeneration 3 int64
  readyReplicas 4 int32
  availableReplicas 5 int32
  conditions 6 []ReplicaSetCondition list=map(type) patch=merge
  terminatingReplicas 7 *int32 since=1.33

RollingUpdateDaemonSet
  maxUnavailable 1 *intstr.IntOrString
  maxSurge 2 *intstr.IntOrString

RollingUpdateDeployment
  maxUnavailable 1 *intstr.IntOrString
  maxSurge 2 *intstr.IntOrString

RollingUpdateStatefulSetStrategy
  partition 1 *int32
  maxUnavailable 2 *intstr.IntOrString

StatefulSet kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 StatefulSetSpec required@1.37
  status 3 StatefulSetStatus

StatefulSetCondition
  type 1 string required@-1.37 shown@1.37 default@1.37="" go=StatefulSetConditionType
  status 2 string required@-1.37 shown@1.37 default@1.37="" go=ConditionStatus
  lastTransitionTime 3 meta_v1.Time
  reason 4 string
  message 5 string

StatefulSetList kind
  metadata 1 meta_v1.ListMeta
  items 2 []StatefulSet required

StatefulSetOrdinals
  start 1 int32 default=0 shown

StatefulSetPersistentVolumeClaimRetentionPolicy
  whenDeleted 1 string go=PersistentVolumeClaimRetentionPolicyType
  whenScaled 2 string go=PersistentVolumeClaimRetentionPolicyType

StatefulSetSpec
  replicas 1 *int32
  selector 2 *meta_v1.LabelSelector required shown
  template 3 core_v1.PodTemplateSpec required
  volumeClaimTemplates 4 []core_v1.PersistentVolumeClaim list=atomic
  serviceName 5 string required@-1.33 shown@1.33 default@1.33=""
  podManagementPolicy 6 string enum=OrderedReady|Parallel go=PodManagementPolicyType
  updateStrategy 7 StatefulSetUpdateStrategy
  revisionHistoryLimit 8 *int32
  minReadySeconds 9 int32
  persistentVolumeClaimRetentionPolicy 10 *StatefulSetPersistentVolumeClaimRetentionPolicy
  ordinals 11 *StatefulSetOrdinals

StatefulSetStatus
  observedGeneration 1 int64
  replicas 2 int32 required
  readyReplicas 3 int32
  currentReplicas 4 int32
  updatedReplicas 5 int32
  currentRevision 6 string
  updateRevision 7 string
  collisionCount 9 *int32
  conditions 10 []StatefulSetCondition list=map(type) patch=merge
  availableReplicas 11 int32 default=0 shown

StatefulSetUpdateStrategy
  type 1 string enum=OnDelete|Recreate@1.37|RollingUpdate go=StatefulSetUpdateStrategyType
  rollingUpdate 2 *RollingUpdateStatefulSetStrategy
`,
} satisfies Declarations;
