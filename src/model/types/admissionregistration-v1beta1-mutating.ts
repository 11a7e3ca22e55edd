import type { Declarations } from '../declare.ts';

export default {
  family: 'admissionregistration_v1beta1',
  group: 'admissionregistration.k8s.io',
  version: 'v1beta1',
  protobuf: 'k8s.io.api.admissionregistration.v1beta1',
  life: { since: '1.34' },
  types: `
ApplyConfiguration
  expression 1 string

JSONPatch
  expression 1 string

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
  failurePolicy 5 *string go=FailurePolicyType
  matchConditions 6 []MatchCondition list=map(name) patch=merge
  reinvocationPolicy 7 string go=ReinvocationPolicyType enum@1.35=IfNeeded|Never

Mutation
  patchType 2 string required enum=ApplyConfiguration|JSONPatch go=PatchType
  applyConfiguration 3 *ApplyConfiguration
  jsonPatch 4 *JSONPatch
`,
} satisfies Declarations;
