import type { Declarations } from '../declare.ts';

export default {
  family: 'scheduling_v1alpha1',
  group: 'scheduling.k8s.io',
  version: 'v1alpha1',
  protobuf: 'k8s.io.api.scheduling.v1alpha1',
  life: { since: '1.35', until: '1.36' },
  types: `
BasicSchedulingPolicy

GangSchedulingPolicy
  minCount 1 int32 required

PodGroup
  name 1 string required
  policy 3 PodGroupPolicy required

PodGroupPolicy
  basic 2 *BasicSchedulingPolicy
  gang 3 *GangSchedulingPolicy

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

WorkloadSpec
  controllerRef 1 *TypedLocalObjectReference
  podGroups 2 []PodGroup required list=map(name)
`,
} satisfies Declarations;
