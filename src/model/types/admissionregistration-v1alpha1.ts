import type { Declarations } from '../declare.ts';

export default {
  family: 'admissionregistration_v1alpha1',
  group: 'admissionregistration.k8s.io',
  version: 'v1alpha1',
  protobuf: 'k8s.io.api.admissionregistration.v1alpha1',
  types: `
ApplyConfiguration
  expression 1 string

AuditAnnotation unpublished
  key 1 string required
  valueExpression 2 string required

ExpressionWarning unpublished
  fieldRef 2 string required
  warning 3 string required

JSONPatch
  expression 1 string

MatchCondition
  name 1 string required
  expression 2 string required

MatchResources map=atomic
  namespaceSelector 1 *meta_v1.LabelSelector
  objectSelector 2 *meta_v1.LabelSelector
  resourceRules 3 []NamedRuleWithOperations list=atomic
  excludeResourceRules 4 []NamedRuleWithOperations list=atomic
  matchPolicy 7 *string enum=Equivalent|Exact go=MatchPolicyType

MutatingAdmissionPolicy kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 MutatingAdmissionPolicySpec

MutatingAdmissionPolicyBinding kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 MutatingAdmissionPolicyBindingSpec

MutatingAdmissionPolicyBindingList kind
  metadata 1 meta_v1.ListMeta
  items 2 []MutatingAdmissionPolicyBinding required

MutatingAdmissionPolicyBindingSpec
  policyName 1 string
  paramRef 2 *ParamRef
  matchResources 3 *MatchResources

MutatingAdmissionPolicyList kind
  metadata 1 meta_v1.ListMeta
  items 2 []MutatingAdmissionPolicy required

MutatingAdmissionPolicySpec
  paramKind 1 *ParamKind
  matchConstraints 2 *MatchResources
  variables 3 []Variable list=atomic
  mutations 4 []Mutation list=atomic
  failurePolicy 5 *string enum=Fail|Ignore go=FailurePolicyType
  matchConditions 6 []MatchCondition list=map(name) patch=merge
  reinvocationPolicy 7 string enum@-1.34=IfNeeded|Never enum@1.35=IfNeeded|Never

Mutation
  patchType 2 string required enum=ApplyConfiguration|JSONPatch go=PatchType
  applyConfiguration 3 *ApplyConfiguration
  jsonPatch 4 *JSONPatch

NamedRuleWithOperations map=atomic
  resourceNames 1 []string list=atomic
  ruleWithOperations 2 admissionregistration_v1.RuleWithOperations inline

ParamKind map=atomic
  apiVersion 1 string
  kind 2 string

ParamRef map=atomic
  name 1 string
  namespace 2 string
  selector 3 *meta_v1.LabelSelector
  parameterNotFoundAction 4 *string enum=Allow|Deny go=ParameterNotFoundActionType

TypeChecking unpublished
  expressionWarnings 1 []ExpressionWarning list=atomic

ValidatingAdmissionPolicy kind unpublished
  metadata 1 meta_v1.ObjectMeta
  spec 2 ValidatingAdmissionPolicySpec
  status 3 ValidatingAdmissionPolicyStatus

ValidatingAdmissionPolicyBinding kind unpublished
  metadata 1 meta_v1.ObjectMeta
  spec 2 ValidatingAdmissionPolicyBindingSpec

ValidatingAdmissionPolicyBindingList kind unpublished
  metadata 1 meta_v1.ListMeta
  items 2 []ValidatingAdmissionPolicyBinding required

ValidatingAdmissionPolicyBindingSpec unpublished
  policyName 1 string
  paramRef 2 *ParamRef
  matchResources 3 *MatchResources
  validationActions 4 []string itemsEnum=Audit|Deny|Warn list=set go=ValidationAction

ValidatingAdmissionPolicyList kind unpublished
  metadata 1 meta_v1.ListMeta
  items 2 []ValidatingAdmissionPolicy required

ValidatingAdmissionPolicySpec unpublished
  paramKind 1 *ParamKind
  matchConstraints 2 *MatchResources
  validations 3 []Validation list=atomic
  failurePolicy 4 *string enum=Fail|Ignore go=FailurePolicyType
  auditAnnotations 5 []AuditAnnotation list=atomic
  matchConditions 6 []MatchCondition list=map(name) patch=merge
  variables 7 []Variable list=map(name) patch=merge

ValidatingAdmissionPolicyStatus unpublished
  observedGeneration 1 int64
  typeChecking 2 *TypeChecking
  conditions 3 []meta_v1.Condition list=map(type)

Validation unpublished
  expression 1 string required protobuf=Expression
  message 2 string
  reason 3 *string go=v1.StatusReason
  messageExpression 4 string

Variable
  name 1 string required protobuf=Name
  expression 2 string required protobuf=Expression
`,
} satisfies Declarations;
