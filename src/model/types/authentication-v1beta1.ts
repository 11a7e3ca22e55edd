import type { Declarations } from '../declare.ts';

export default {
  family: 'authentication_v1beta1',
  group: 'authentication.k8s.io',
  version: 'v1beta1',
  protobuf: 'k8s.io.api.authentication.v1beta1',
  types: `
ExtraValue form=array items=string unpublished

SelfSubjectReview kind
  metadata 1 meta_v1.ObjectMeta
  status 2 SelfSubjectReviewStatus

SelfSubjectReviewStatus
  userInfo 1 authentication_v1.UserInfo

TokenReview kind unpublished
  metadata 1 meta_v1.ObjectMeta
  spec 2 TokenReviewSpec required
  status 3 TokenReviewStatus

TokenReviewSpec unpublished
  token 1 string
  audiences 2 []string list=atomic

TokenReviewStatus unpublished
  @json authenticated user audiences error
  authenticated 1 boolean
  user 2 UserInfo
  error 3 string
  audiences 4 []string list=atomic

UserInfo unpublished
  username 1 string
  uid 2 string
  groups 3 []string list=atomic
  extra 4 map:ExtraValue
`,
} satisfies Declarations;
