import type { Declarations } from '../declare.ts';

export default {
  family: 'admissionregistration_v1',
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.api.admissionregistration.v1',
  types: `
AuditAnnotation
  key 1 string required
  valueExpression 2 string required

ExpressionWarning
  fieldRef 2 string required
  warning 3 string required

MatchCondition
  name 1 string required
  expression 2 string required

MatchResources map=atomic
  namespaceSelector 1 *meta_v1.LabelSelector
  objectSelector 2 *meta_v1.LabelSelector
  resourceRules 3 []NamedRuleWithOperations list=atomic
  excludeResourceRules 4 []NamedRuleWithOperations list=atomic
  matchPolicy 7 *string enum=Equivalent|Exact go=MatchPolicyType

MutatingWebhook
  @json name clientConfig rules failurePolicy matchPolicy namespaceSelector objectSelector sideEffects timeoutSeconds admissionReviewVersions reinvocationPolicy matchConditions
  name 1 string required
  clientConfig 2 WebhookClientConfig required
  rules 3 []RuleWithOperations list=atomic
  failurePolicy 4 *string enum=Fail|Ignore go=FailurePolicyType
  namespaceSelector 5 *meta_v1.LabelSelector
  sideEffects 6 *string required shown enum=None|NoneOnDryRun|Some|Unknown go=SideEffectClass
  timeoutSeconds 7 *int32
  admissionReviewVersions 8 []string required list=atomic
  matchPolicy 9 *string enum=Equivalent|Exact go=MatchPolicyType
  reinvocationPolicy 10 *string enum@-1.34=IfNeeded|Never enum@1.35=IfNeeded|Never go=ReinvocationPolicyType
  objectSelector 11 *meta_v1.LabelSelector
  matchConditions 12 []MatchCondition list=map(name) patch=merge

MutatingWebhookConfiguration kind
  metadata 1 meta_v1.ObjectMeta
  webhooks 2 []MutatingWebhook list=map(name) patch=merge protobuf=Webhooks

MutatingWebhookConfigurationList kind
  metadata 1 meta_v1.ListMeta
  items 2 []MutatingWebhookConfiguration required

NamedRuleWithOperations map=atomic
  resourceNames 1 []string list=atomic
  ruleWithOperations 2 RuleWithOperations inline

ParamKind map=atomic
  apiVersion 1 string
  kind 2 string

ParamRef map=atomic
  name 1 string
  namespace 2 string
  selector 3 *meta_v1.LabelSelector
  parameterNotFoundAction 4 *string go=ParameterNotFoundActionType

Rule unpublished
  apiGroups 1 []string list=atomic
  apiVersions 2 []string list=atomic
  resources 3 []string list=atomic
  scope 4 *string go=ScopeType

RuleWithOperations
  operations 1 []string itemsEnum=*|CONNECT|CREATE|DELETE|UPDATE list=atomic go=OperationType
  rule 2 Rule inline

ServiceReference
  namespace 1 string required
  name 2 string required
  path 3 *string
  port 4 *int32

TypeChecking
  expressionWarnings 1 []ExpressionWarning list=atomic

ValidatingAdmissionPolicy kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 ValidatingAdmissionPolicySpec
  status 3 ValidatingAdmissionPolicyStatus

ValidatingAdmissionPolicyBinding kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 ValidatingAdmissionPolicyBindingSpec required@1.36

ValidatingAdmissionPolicyBindingList kind
  metadata 1 meta_v1.ListMeta
  items 2 []ValidatingAdmissionPolicyBinding required

ValidatingAdmissionPolicyBindingSpec
  policyName 1 string required@1.36 omitted@1.36 nodefault@1.36
  paramRef 2 *ParamRef
  matchResources 3 *MatchResources
  validationActions 4 []string itemsEnum=Audit|Deny|Warn list=set required@1.36 omitted@1.36 go=ValidationAction

ValidatingAdmissionPolicyList kind
  metadata 1 meta_v1.ListMeta
  items 2 []ValidatingAdmissionPolicy required

ValidatingAdmissionPolicySpec
  paramKind 1 *ParamKind
  matchConstraints 2 *MatchResources
  validations 3 []Validation list=atomic
  failurePolicy 4 *string enum=Fail|Ignore go=FailurePolicyType
  auditAnnotations 5 []AuditAnnotation list=atomic
  matchConditions 6 []MatchCondition list=map(name) patch=merge
  variables 7 []Variable list=map(name) patch=merge

ValidatingAdmissionPolicyStatus
  observedGeneration 1 int64
  typeChecking 2 *TypeChecking
  conditions 3 []meta_v1.Condition list=map(type)

ValidatingWebhook
  @json name clientConfig rules failurePolicy matchPolicy namespaceSelector objectSelector sideEffects timeoutSeconds admissionReviewVersions matchConditions
  name 1 string required
  clientConfig 2 WebhookClientConfig required
  rules 3 []RuleWithOperations list=atomic
  failurePolicy 4 *string enum=Fail|Ignore go=FailurePolicyType
  namespaceSelector 5 *meta_v1.LabelSelector
  sideEffects 6 *string required shown enum=None|NoneOnDryRun|Some|Unknown go=SideEffectClass
  timeoutSeconds 7 *int32
  admissionReviewVersions 8 []string required list=atomic
  matchPolicy 9 *string enum=Equivalent|Exact go=MatchPolicyType
  objectSelector 10 *meta_v1.LabelSelector
  matchConditions 11 []MatchCondition list=map(name) patch=merge

ValidatingWebhookConfiguration kind
  metadata 1 meta_v1.ObjectMeta
  webhooks 2 []ValidatingWebhook list=map(name) patch=merge protobuf=Webhooks

ValidatingWebhookConfigurationList kind
  metadata 1 meta_v1.ListMeta
  items 2 []ValidatingWebhookConfiguration required

Validation
  expression 1 string required protobuf=Expression
  message 2 string
  reason 3 *string go=StatusReason
  messageExpression 4 string

Variable map=atomic
  name 1 string required protobuf=Name
  expression 2 string required protobuf=Expression

WebhookClientConfig
  @json url service caBundle
  service 1 *ServiceReference
  caBundle 2 bytes
  url 3 *string
`,
} satisfies Declarations;
