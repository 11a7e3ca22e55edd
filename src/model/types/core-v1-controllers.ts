import type { Declarations } from '../declare.ts';

export default {
  family: 'core_v1',
  group: '',
  version: 'v1',
  protobuf: 'k8s.io.api.core.v1',
  types: `
PodTemplate kind
  metadata 1 meta_v1.ObjectMeta
  template 2 PodTemplateSpec

PodTemplateList kind
  metadata 1 meta_v1.ListMeta
  items 2 []PodTemplate required

ReplicationController kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 ReplicationControllerSpec
  status 3 ReplicationControllerStatus

ReplicationControllerCondition
  type 1 string required go=ReplicationControllerConditionType
  status 2 string required go=ConditionStatus
  lastTransitionTime 3 meta_v1.Time
  reason 4 string
  message 5 string

ReplicationControllerList kind
  metadata 1 meta_v1.ListMeta
  items 2 []ReplicationController required

ReplicationControllerSpec
  @json replicas minReadySeconds selector template
  replicas 1 *int32 default@1.33=1
  selector 2 map:string map=atomic
  template 3 *PodTemplateSpec
  minReadySeconds 4 int32 default@1.33=0

ReplicationControllerStatus
  @json replicas fullyLabeledReplicas readyReplicas availableReplicas observedGeneration conditions
  replicas 1 int32 required
  fullyLabeledReplicas 2 int32
  observedGeneration 3 int64
  readyReplicas 4 int32
  availableReplicas 5 int32
  conditions 6 []ReplicationControllerCondition list=map(type) patch=merge
`,
} satisfies Declarations;
