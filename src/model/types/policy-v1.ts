import type { Declarations } from '../declare.ts';

export default {
  family: 'policy_v1',
  group: 'policy',
  version: 'v1',
  protobuf: 'k8s.io.api.policy.v1',
  types: `
Eviction kind
  metadata 1 meta_v1.ObjectMeta
  deleteOptions 2 *meta_v1.DeleteOptions

PodDisruptionBudget kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 PodDisruptionBudgetSpec
  status 3 PodDisruptionBudgetStatus

PodDisruptionBudgetList kind
  metadata 1 meta_v1.ListMeta
  items 2 []PodDisruptionBudget required

PodDisruptionBudgetSpec
  minAvailable 1 *intstr.IntOrString
  selector 2 *meta_v1.LabelSelector patch=replace
  maxUnavailable 3 *intstr.IntOrString
  unhealthyPodEvictionPolicy 4 *string enum=AlwaysAllow|IfHealthyBudget go=UnhealthyPodEvictionPolicyType

PodDisruptionBudgetStatus
  observedGeneration 1 int64
  disruptedPods 2 map:meta_v1.Time
  disruptionsAllowed 3 int32 required@-1.36 shown@1.36 default@1.36=0
  currentHealthy 4 int32 required@-1.36 shown@1.36 default@1.36=0
  desiredHealthy 5 int32 required@-1.36 shown@1.36 default@1.36=0
  expectedPods 6 int32 required@-1.36 shown@1.36 default@1.36=0
  conditions 7 []meta_v1.Condition list=map(type) patch=merge
`,
} satisfies Declarations;
