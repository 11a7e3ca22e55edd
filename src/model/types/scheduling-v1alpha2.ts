import type { Declarations } from '../declare.ts';

export default {
  family: 'scheduling_v1alpha2',
  group: 'scheduling.k8s.io',
  version: 'v1alpha2',
  protobuf: 'k8s.io.api.scheduling.v1alpha2',
  life: { since: '1.36', until: '1.37' },
  types: `
BasicSchedulingPolicy

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
  podGroupTemplateRef 1 *PodGroupTemplateReference shown
  schedulingPolicy 2 PodGroupSchedulingPolicy required
  schedulingConstraints 3 *PodGroupSchedulingConstraints
  resourceClaims 4 []PodGroupResourceClaim list=map(name) patch=merge,retainKeys
  disruptionMode 5 *string default="Pod" enum=Pod|PodGroup go=DisruptionMode
  priorityClassName 6 string
  priority 7 *int32

PodGroupStatus
  conditions 1 []meta_v1.Condition list=map(type) patch=merge
  resourceClaimStatuses 2 []PodGroupResourceClaimStatus list=map(name) patch=merge,retainKeys

PodGroupTemplate
  name 1 string required
  schedulingPolicy 2 PodGroupSchedulingPolicy required
  schedulingConstraints 3 *PodGroupSchedulingConstraints shown
  resourceClaims 4 []PodGroupResourceClaim list=map(name) patch=merge,retainKeys
  disruptionMode 5 *string enum=Pod|PodGroup go=DisruptionMode
  priorityClassName 6 string
  priority 7 *int32

PodGroupTemplateReference
  @union - workload=Workload
  workload 1 *WorkloadPodGroupTemplateReference shown

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

WorkloadPodGroupTemplateReference
  workloadName 1 string required
  podGroupTemplateName 2 string required

WorkloadSpec
  controllerRef 1 *TypedLocalObjectReference
  podGroupTemplates 2 []PodGroupTemplate required list=map(name)
`,
} satisfies Declarations;
