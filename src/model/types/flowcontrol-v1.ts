import type { Declarations } from '../declare.ts';

export default {
  family: 'flowcontrol_v1',
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.api.flowcontrol.v1',
  types: `
ExemptPriorityLevelConfiguration
  nominalConcurrencyShares 1 *int32
  lendablePercent 2 *int32

FlowDistinguisherMethod
  type 1 string required go=FlowDistinguisherMethodType

FlowSchema kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 FlowSchemaSpec required@1.37
  status 3 FlowSchemaStatus

FlowSchemaCondition
  type 1 string required@1.37 omitted@1.37 nodefault@1.37 go=FlowSchemaConditionType
  status 2 string go=ConditionStatus
  lastTransitionTime 3 meta_v1.Time
  reason 4 string
  message 5 string

FlowSchemaList kind
  metadata 1 meta_v1.ListMeta
  items 2 []FlowSchema required

FlowSchemaSpec
  priorityLevelConfiguration 1 PriorityLevelConfigurationReference required
  matchingPrecedence 2 int32 default=0 shown
  distinguisherMethod 3 *FlowDistinguisherMethod
  rules 4 []PolicyRulesWithSubjects list=atomic

FlowSchemaStatus
  conditions 1 []FlowSchemaCondition list=map(type) patch=merge

GroupSubject
  name 1 string required

LimitResponse
  @union type queuing=Queuing
  type 1 string required go=LimitResponseType
  queuing 2 *QueuingConfiguration

LimitedPriorityLevelConfiguration
  nominalConcurrencyShares 1 *int32 shown
  limitResponse 2 LimitResponse required@1.37
  lendablePercent 3 *int32
  borrowingLimitPercent 4 *int32

NonResourcePolicyRule
  verbs 1 []string required list=set
  nonResourceURLs 6 []string required list=set

PolicyRulesWithSubjects
  subjects 1 []Subject required list=atomic
  resourceRules 2 []ResourcePolicyRule list=atomic
  nonResourceRules 3 []NonResourcePolicyRule list=atomic

PriorityLevelConfiguration kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 PriorityLevelConfigurationSpec required@1.37
  status 3 PriorityLevelConfigurationStatus

PriorityLevelConfigurationCondition
  type 1 string required@1.37 omitted@1.37 nodefault@1.37 go=PriorityLevelConfigurationConditionType
  status 2 string go=ConditionStatus
  lastTransitionTime 3 meta_v1.Time
  reason 4 string
  message 5 string

PriorityLevelConfigurationList kind
  metadata 1 meta_v1.ListMeta
  items 2 []PriorityLevelConfiguration required

PriorityLevelConfigurationReference
  name 1 string required

PriorityLevelConfigurationSpec
  @union type exempt=Exempt limited=Limited
  type 1 string required go=PriorityLevelEnablement
  limited 2 *LimitedPriorityLevelConfiguration
  exempt 3 *ExemptPriorityLevelConfiguration

PriorityLevelConfigurationStatus
  conditions 1 []PriorityLevelConfigurationCondition list=map(type) patch=merge

QueuingConfiguration
  queues 1 int32 default=0 shown
  handSize 2 int32 default=0 shown
  queueLengthLimit 3 int32 default=0 shown

ResourcePolicyRule
  verbs 1 []string required list=set
  apiGroups 2 []string required list=set
  resources 3 []string required list=set
  clusterScope 4 boolean
  namespaces 5 []string shown list=set

ServiceAccountSubject
  namespace 1 string required
  name 2 string required

Subject
  @union kind group=Group serviceAccount=ServiceAccount user=User
  kind 1 string required go=SubjectKind
  user 2 *UserSubject
  group 3 *GroupSubject
  serviceAccount 4 *ServiceAccountSubject

UserSubject
  name 1 string required
`,
} satisfies Declarations;
