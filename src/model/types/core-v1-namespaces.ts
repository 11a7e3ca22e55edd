import type { Declarations } from '../declare.ts';

export default {
  family: 'core_v1',
  group: '',
  version: 'v1',
  protobuf: 'k8s.io.api.core.v1',
  types: `
ComponentCondition
  type 1 string required go=ComponentConditionType
  status 2 string required go=ConditionStatus
  message 3 string
  error 4 string

ComponentStatus kind
  metadata 1 meta_v1.ObjectMeta
  conditions 2 []ComponentCondition list=map(type) patch=merge

ComponentStatusList kind
  metadata 1 meta_v1.ListMeta
  items 2 []ComponentStatus required

LimitRange kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 LimitRangeSpec

LimitRangeItem
  type 1 string required go=LimitType
  max 2 map:quantity.Quantity
  min 3 map:quantity.Quantity
  default 4 map:quantity.Quantity
  defaultRequest 5 map:quantity.Quantity
  maxLimitRequestRatio 6 map:quantity.Quantity

LimitRangeList kind
  metadata 1 meta_v1.ListMeta
  items 2 []LimitRange required

LimitRangeSpec
  limits 1 []LimitRangeItem required list=atomic

Namespace kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 NamespaceSpec
  status 3 NamespaceStatus

NamespaceCondition
  type 1 string required go=NamespaceConditionType
  status 2 string required go=ConditionStatus
  lastTransitionTime 4 meta_v1.Time
  reason 5 string
  message 6 string

NamespaceList kind
  metadata 1 meta_v1.ListMeta
  items 2 []Namespace required

NamespaceSpec
  finalizers 1 []string list=atomic go=FinalizerName

NamespaceStatus
  phase 1 string enum=Active|Terminating go=NamespacePhase
  conditions 2 []NamespaceCondition list=map(type) patch=merge

RangeAllocation kind unpublished
  metadata 1 meta_v1.ObjectMeta
  range 2 string required
  data 3 bytes required

ResourceQuota kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 ResourceQuotaSpec
  status 3 ResourceQuotaStatus

ResourceQuotaList kind
  metadata 1 meta_v1.ListMeta
  items 2 []ResourceQuota required

ResourceQuotaSpec
  hard 1 map:quantity.Quantity
  scopes 2 []string list=atomic itemsEnum=BestEffort|CrossNamespacePodAffinity|NotBestEffort|NotTerminating|PriorityClass|Terminating|VolumeAttributesClass@1.33 go=ResourceQuotaScope
  scopeSelector 3 *ScopeSelector

ResourceQuotaStatus
  hard 1 map:quantity.Quantity
  used 2 map:quantity.Quantity

ScopeSelector map=atomic
  matchExpressions 1 []ScopedResourceSelectorRequirement list=atomic

ScopedResourceSelectorRequirement
  scopeName 1 string required enum=BestEffort|CrossNamespacePodAffinity|NotBestEffort|NotTerminating|PriorityClass|Terminating|VolumeAttributesClass@1.33 go=ResourceQuotaScope
  operator 2 string required enum=DoesNotExist|Exists|In|NotIn go=ScopeSelectorOperator
  values 3 []string list=atomic
`,
} satisfies Declarations;
