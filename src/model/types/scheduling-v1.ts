import type { Declarations } from '../declare.ts';

export default {
  family: 'scheduling_v1',
  group: 'scheduling.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.api.scheduling.v1',
  types: `
PriorityClass kind
  metadata 1 meta_v1.ObjectMeta
  value 2 int32 required@-1.36 shown@1.36 default@1.36=0
  globalDefault 3 boolean
  description 4 string
  preemptionPolicy 5 *string enum=Never|PreemptLowerPriority go=PreemptionPolicy

PriorityClassList kind
  metadata 1 meta_v1.ListMeta
  items 2 []PriorityClass required
`,
} satisfies Declarations;
