import type { Declarations } from '../declare.ts';

export default {
  family: 'authorization_v1',
  group: 'authorization.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.api.authorization.v1',
  types: `
ExtraValue form=array items=string unpublished

FieldSelectorAttributes
  rawSelector 1 string
  requirements 2 []meta_v1.FieldSelectorRequirement list=atomic

LabelSelectorAttributes
  rawSelector 1 string
  requirements 2 []meta_v1.LabelSelectorRequirement list=atomic

LocalSubjectAccessReview kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 SubjectAccessReviewSpec required
  status 3 SubjectAccessReviewStatus

NonResourceAttributes
  path 1 string
  verb 2 string

NonResourceRule
  verbs 1 []string required list=atomic
  nonResourceURLs 2 []string list=atomic

ResourceAttributes
  namespace 1 string
  verb 2 string
  group 3 string
  version 4 string
  resource 5 string
  subresource 6 string
  name 7 string
  fieldSelector 8 *FieldSelectorAttributes
  labelSelector 9 *LabelSelectorAttributes

ResourceRule
  verbs 1 []string required list=atomic
  apiGroups 2 []string list=atomic
  resources 3 []string list=atomic
  resourceNames 4 []string list=atomic

SelfSubjectAccessReview kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 SelfSubjectAccessReviewSpec required
  status 3 SubjectAccessReviewStatus

SelfSubjectAccessReviewSpec
  resourceAttributes 1 *ResourceAttributes
  nonResourceAttributes 2 *NonResourceAttributes

SelfSubjectRulesReview kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 SelfSubjectRulesReviewSpec required
  status 3 SubjectRulesReviewStatus

SelfSubjectRulesReviewSpec
  namespace 1 string

SubjectAccessReview kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 SubjectAccessReviewSpec required
  status 3 SubjectAccessReviewStatus

SubjectAccessReviewSpec
  resourceAttributes 1 *ResourceAttributes
  nonResourceAttributes 2 *NonResourceAttributes
  user 3 string
  groups 4 []string list=atomic
  extra 5 map:ExtraValue
  uid 6 string

SubjectAccessReviewStatus
  @json allowed denied reason evaluationError
  allowed 1 boolean required
  reason 2 string
  evaluationError 3 string
  denied 4 boolean

SubjectRulesReviewStatus
  resourceRules 1 []ResourceRule required list=atomic
  nonResourceRules 2 []NonResourceRule required list=atomic
  incomplete 3 boolean required
  evaluationError 4 string
`,
} satisfies Declarations;
