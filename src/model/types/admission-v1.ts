import type { Declarations } from '../declare.ts';

export default {
  family: 'admission_v1',
  group: 'admission.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.api.admission.v1',
  unpublished: true,
  types: `
AdmissionRequest
  @json uid kind resource subResource requestKind requestResource requestSubResource name namespace operation userInfo object oldObject dryRun options
  uid 1 string shown go=types.UID
  kind 2 meta_v1.GroupVersionKind
  resource 3 meta_v1.GroupVersionResource
  subResource 4 string
  name 5 string
  namespace 6 string
  operation 7 string shown go=Operation
  userInfo 8 authentication_v1.UserInfo
  object 9 runtime.RawExtension
  oldObject 10 runtime.RawExtension
  dryRun 11 *boolean
  options 12 runtime.RawExtension
  requestKind 13 *meta_v1.GroupVersionKind
  requestResource 14 *meta_v1.GroupVersionResource
  requestSubResource 15 string

AdmissionResponse
  uid 1 string shown go=types.UID
  allowed 2 boolean shown
  status 3 *meta_v1.Status
  patch 4 bytes
  patchType 5 *string go=PatchType
  auditAnnotations 6 map:string
  warnings 7 []string

AdmissionReview kind
  request 1 *AdmissionRequest
  response 2 *AdmissionResponse
`,
} satisfies Declarations;
