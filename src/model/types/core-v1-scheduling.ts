import type { Declarations } from '../declare.ts';

export default {
  family: 'core_v1',
  group: '',
  version: 'v1',
  protobuf: 'k8s.io.api.core.v1',
  types: `
Affinity
  nodeAffinity 1 *NodeAffinity
  podAffinity 2 *PodAffinity
  podAntiAffinity 3 *PodAntiAffinity

NodeAffinity
  requiredDuringSchedulingIgnoredDuringExecution 1 *NodeSelector
  preferredDuringSchedulingIgnoredDuringExecution 2 []PreferredSchedulingTerm list=atomic

NodeSelector map=atomic
  nodeSelectorTerms 1 []NodeSelectorTerm required list=atomic

NodeSelectorRequirement
  key 1 string required
  operator 2 string required enum=DoesNotExist|Exists|Gt|In|Lt|NotIn go=NodeSelectorOperator
  values 3 []string list=atomic

NodeSelectorTerm map=atomic
  matchExpressions 1 []NodeSelectorRequirement list=atomic
  matchFields 2 []NodeSelectorRequirement list=atomic

PodAffinity
  requiredDuringSchedulingIgnoredDuringExecution 1 []PodAffinityTerm list=atomic
  preferredDuringSchedulingIgnoredDuringExecution 2 []WeightedPodAffinityTerm list=atomic

PodAffinityTerm
  labelSelector 1 *meta_v1.LabelSelector
  namespaces 2 []string list=atomic
  topologyKey 3 string required
  namespaceSelector 4 *meta_v1.LabelSelector
  matchLabelKeys 5 []string list=atomic
  mismatchLabelKeys 6 []string list=atomic

PodAntiAffinity
  requiredDuringSchedulingIgnoredDuringExecution 1 []PodAffinityTerm list=atomic
  preferredDuringSchedulingIgnoredDuringExecution 2 []WeightedPodAffinityTerm list=atomic

PreferredSchedulingTerm
  weight 1 int32 required
  preference 2 NodeSelectorTerm required

Toleration
  key 1 string
  operator 2 string enum=Equal|Exists|Gt@1.35|Lt@1.35 go=TolerationOperator
  value 3 string
  effect 4 string enum=NoExecute|NoSchedule|PreferNoSchedule go=TaintEffect
  tolerationSeconds 5 *int64

TopologySelectorLabelRequirement
  key 1 string required
  values 2 []string required list=atomic

TopologySelectorTerm map=atomic
  matchLabelExpressions 1 []TopologySelectorLabelRequirement list=atomic

TopologySpreadConstraint
  maxSkew 1 int32 required
  topologyKey 2 string required
  whenUnsatisfiable 3 string required enum=DoNotSchedule|ScheduleAnyway go=UnsatisfiableConstraintAction
  labelSelector 4 *meta_v1.LabelSelector
  minDomains 5 *int32
  nodeAffinityPolicy 6 *string enum=Honor|Ignore go=NodeInclusionPolicy
  nodeTaintsPolicy 7 *string enum=Honor|Ignore go=NodeInclusionPolicy
  matchLabelKeys 8 []string list=atomic

WeightedPodAffinityTerm
  weight 1 int32 required
  podAffinityTerm 2 PodAffinityTerm required
`,
} satisfies Declarations;
