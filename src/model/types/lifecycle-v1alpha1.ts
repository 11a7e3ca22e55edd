import type { Declarations } from '../declare.ts';

export default {
  family: 'lifecycle_v1alpha1',
  group: 'lifecycle.k8s.io',
  version: 'v1alpha1',
  protobuf: 'k8s.io.api.lifecycle.v1alpha1',
  life: { since: '1.37' },
  types: `
Eviction kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 EvictionSpec required
  status 3 EvictionStatus

EvictionList kind
  metadata 1 meta_v1.ListMeta
  items 2 []Eviction required

EvictionPodReference
  name 1 string required
  uid 2 string required go=apimachinerytypes.UID

EvictionRequest kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 EvictionRequestSpec required
  status 3 EvictionRequestStatus

EvictionRequestList kind
  metadata 1 meta_v1.ListMeta
  items 2 []EvictionRequest required

EvictionRequestPodReference
  name 1 string required
  uid 2 string required go=apimachinerytypes.UID

EvictionRequestSpec
  target 1 EvictionRequestTarget required
  requester 2 string required
  intent 3 string required enum=Eviction|Withdrawn go=EvictionRequestIntent

EvictionRequestStatus
  conditions 1 []meta_v1.Condition list=map(type) patch=merge
  observedGeneration 2 *int64

EvictionRequestTarget
  @union - pod=Pod
  pod 1 *EvictionRequestPodReference

EvictionSpec
  target 1 EvictionTarget required

EvictionStatus
  conditions 1 []meta_v1.Condition list=map(type) patch=merge
  observedGeneration 2 *int64
  requesters 3 []Requester list=map(name) patch=merge
  targetResponders 4 []TargetResponder list=map(name) patch=merge
  responders 5 []ResponderStatus list=map(name) patch=merge

EvictionTarget
  @union - pod=Pod
  pod 1 *EvictionPodReference

Requester map=atomic
  name 1 string required
  intent 2 string required enum=Eviction|Withdrawn go=RequesterIntent

ResponderStatus map=granular
  name 1 string required
  startTime 2 *meta_v1.Time
  heartbeatTime 3 *meta_v1.Time
  expectedCompletionTime 4 *meta_v1.Time
  completionTime 5 *meta_v1.Time
  message 6 *string

TargetResponder map=atomic
  name 1 string required
  priority 2 *int32 required shown
  state 3 string required enum=Active|Canceled|Completed|Inactive|Interrupted go=ResponderStateType
`,
} satisfies Declarations;
