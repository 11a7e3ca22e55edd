import type { Declarations } from '../declare.ts';

export default {
  family: 'authentication_v1',
  group: 'authentication.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.api.authentication.v1',
  types: `
AttestationValue form=array items=string unpublished since=1.37

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
  spec 2 TokenRequestSpec required@-1.36
  status 3 TokenRequestStatus

TokenRequestSpec
  @json audiences expirationSeconds boundObjectRef attestations
  audiences 1 []string required@-1.36 list=atomic shown@1.36
  boundObjectRef 3 *BoundObjectReference shown
  expirationSeconds 4 *int64 shown
  attestations 5 map:AttestationValue since=1.37

TokenRequestStatus
  token 1 string required@-1.36 shown@1.36 default@1.36=""
  expirationTimestamp 2 meta_v1.Time required@-1.36

TokenReview kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 TokenReviewSpec required
  status 3 TokenReviewStatus

TokenReviewSpec
  token 1 string required@1.36 omitted@1.36 nodefault@1.36
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
