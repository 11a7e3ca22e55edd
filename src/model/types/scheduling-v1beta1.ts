import type { Declarations } from '../declare.ts';

export default {
  family: 'scheduling_v1beta1',
  group: 'scheduling.k8s.io',
  version: 'v1beta1',
  protobuf: 'k8s.io.api.scheduling.v1beta1',
  life: { since: '1.37' },
  types: `
AllCompositeDisruptionMode

AllDisruptionMode

BasicSchedulingPolicy

CompositeBasicSchedulingPolicy

CompositeDisruptionMode
  @union - all=All single=Single
  single 1 *SingleCompositeDisruptionMode
  all 2 *AllCompositeDisruptionMode

CompositeGangSchedulingPolicy
  minGroupCount 1 int32 required

CompositePodGroupSchedulingConstraints
  topology 1 []TopologyConstraint list=atomic

CompositePodGroupSchedulingPolicy
  @union - basic=Basic gang=Gang
  basic 1 *CompositeBasicSchedulingPolicy
  gang 2 *CompositeGangSchedulingPolicy

CompositePodGroupTemplate
  name 1 string required
  schedulingPolicy 2 CompositePodGroupSchedulingPolicy required
  schedulingConstraints 3 *CompositePodGroupSchedulingConstraints
  disruptionMode 4 *CompositeDisruptionMode
  priorityClassName 5 string
  priority 6 *int32
  preemptionPolicy 7 *string enum=Never|PreemptLowerPriority go=PreemptionPolicy
  podGroupTemplates 8 []PodGroupTemplate list=map(name)
  compositePodGroupTemplates 9 []CompositePodGroupTemplate list=map(name)

DisruptionMode
  @union - all=All single=Single
  single 1 *SingleDisruptionMode
  all 2 *AllDisruptionMode

GangSchedulingPolicy
  minCount 1 int32 required

PodGroup kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 PodGroupSpec required
  status 3 PodGroupStatus

PodGroupList kind
  metadata 1 meta_v1.ListMeta
  items 2 []PodGroup required

PodGroupResourceClaim
  name 1 string required
  resourceClaimName 2 *string
  resourceClaimTemplateName 3 *string

PodGroupResourceClaimStatus
  name 1 string required
  resourceClaimName 2 *string

PodGroupSchedulingConstraints
  topology 1 []TopologyConstraint list=atomic

PodGroupSchedulingPolicy
  @union - basic=Basic gang=Gang
  basic 1 *BasicSchedulingPolicy
  gang 2 *GangSchedulingPolicy

PodGroupSpec
  parentCompositePodGroupName 1 *string
  workloadRef 2 *WorkloadReference
  schedulingPolicy 3 PodGroupSchedulingPolicy required
  schedulingConstraints 4 *PodGroupSchedulingConstraints
  resourceClaims 5 []PodGroupResourceClaim list=map(name) patch=merge,retainKeys
  disruptionMode 6 *DisruptionMode default={"single":{}}
  priorityClassName 7 string
  priority 8 *int32
  preemptionPolicy 9 *string enum=Never|PreemptLowerPriority go=PreemptionPolicy

PodGroupStatus
  conditions 1 []meta_v1.Condition list=map(type) patch=merge
  resourceClaimStatuses 2 []PodGroupResourceClaimStatus list=map(name) patch=merge,retainKeys

PodGroupTemplate
  name 1 string required
  schedulingPolicy 2 PodGroupSchedulingPolicy required
  schedulingConstraints 3 *PodGroupSchedulingConstraints shown
  resourceClaims 4 []PodGroupResourceClaim list=map(name) patch=merge,retainKeys
  disruptionMode 5 *DisruptionMode
  priorityClassName 6 string
  priority 7 *int32
  preemptionPolicy 8 *string enum=Never|PreemptLowerPriority go=PreemptionPolicy

SingleCompositeDisruptionMode

SingleDisruptionMode

TopologyConstraint
  key 1 string required

TypedLocalObjectReference
  apiGroup 1 string
  kind 2 string required
  name 3 string required

Workload kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 WorkloadSpec required

WorkloadList kind
  metadata 1 meta_v1.ListMeta
  items 2 []Workload required

WorkloadReference
  workloadName 1 string required
  templateName 2 string required

WorkloadSpec
  controllerRef 1 *TypedLocalObjectReference
  podGroupTemplates 2 []PodGroupTemplate shown list=map(name)
  compositePodGroupTemplates 3 []CompositePodGroupTemplate list=map(name)
`,
} satisfies Declarations;
