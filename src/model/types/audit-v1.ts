import type { Declarations } from '../declare.ts';

export default {
  family: 'audit_v1',
  group: 'audit.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.apiserver.pkg.apis.audit.v1',
  unpublished: true,
  types: `
AuthenticationMetadata since=1.35
  impersonationConstraint 1 string

Event kind
  @json level auditID stage requestURI verb user impersonatedUser authenticationMetadata sourceIPs userAgent objectRef responseStatus requestObject responseObject requestReceivedTimestamp stageTimestamp annotations
  level 1 string required go=Level
  auditID 2 string required go=types.UID
  stage 3 string required go=Stage
  requestURI 4 string required
  verb 5 string required
  user 6 authentication_v1.UserInfo required
  impersonatedUser 7 *authentication_v1.UserInfo
  sourceIPs 8 []string list=atomic
  objectRef 9 *ObjectReference
  responseStatus 10 *meta_v1.Status
  requestObject 11 *runtime.Unknown
  responseObject 12 *runtime.Unknown
  requestReceivedTimestamp 13 meta_v1.MicroTime
  stageTimestamp 14 meta_v1.MicroTime
  annotations 15 map:string
  userAgent 16 string
  authenticationMetadata 17 *AuthenticationMetadata since=1.35

EventList kind
  metadata 1 meta_v1.ListMeta
  items 2 []Event required

GroupResources
  group 1 string
  resources 2 []string list=atomic
  resourceNames 3 []string list=atomic

ObjectReference
  resource 1 string
  namespace 2 string
  name 3 string
  uid 4 string go=types.UID
  apiGroup 5 string
  apiVersion 6 string
  resourceVersion 7 string
  subresource 8 string

Policy kind
  metadata 1 meta_v1.ObjectMeta
  rules 2 []PolicyRule required list=atomic
  omitStages 3 []string list=atomic go=Stage
  omitManagedFields 4 boolean

PolicyList kind
  metadata 1 meta_v1.ListMeta
  items 2 []Policy required

PolicyRule
  level 1 string required go=Level
  users 2 []string list=atomic
  userGroups 3 []string list=atomic
  verbs 4 []string list=atomic
  resources 5 []GroupResources list=atomic
  namespaces 6 []string list=atomic
  nonResourceURLs 7 []string list=atomic
  omitStages 8 []string list=atomic go=Stage
  omitManagedFields 9 *boolean
`,
} satisfies Declarations;
