import type { Declarations } from '../declare.ts';

export default {
  family: 'authentication_v1',
  group: 'authentication.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.api.authentication.v1',
  types: `
BoundObjectReference
  kind 1 string
  apiVersion 2 string
  name 3 string
  uid 4 string protobuf=uID go=types.UID

ExtraValue form=array items=string unpublished

SelfSubjectReview kind
  metadata 1 meta_v1.ObjectMeta
  status 2 SelfSubjectReviewStatus

SelfSubjectReviewStatus
  userInfo 1 UserInfo

TokenRequest kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 TokenRequestSpec required
  status 3 TokenRequestStatus

TokenRequestSpec
  @json audiences expirationSeconds boundObjectRef
  audiences 1 []string required list=atomic
  boundObjectRef 3 *BoundObjectReference shown
  expirationSeconds 4 *int64 shown

TokenRequestStatus
  token 1 string required
  expirationTimestamp 2 meta_v1.Time required

TokenReview kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 TokenReviewSpec required
  status 3 TokenReviewStatus

TokenReviewSpec
  token 1 string
  audiences 2 []string list=atomic

TokenReviewStatus
  @json authenticated user audiences error
  authenticated 1 boolean
  user 2 UserInfo
  error 3 string
  audiences 4 []string list=atomic

UserInfo
  username 1 string
  uid 2 string
  groups 3 []string list=atomic
  extra 4 map:ExtraValue
`,
} satisfies Declarations;
