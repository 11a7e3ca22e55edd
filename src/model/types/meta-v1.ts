import type { Declarations } from '../declare.ts';

export default {
  family: 'meta_v1',
  group: 'meta.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.apimachinery.pkg.apis.meta.v1',
  types: `
Condition
  type 1 string required
  status 2 string required go=ConditionStatus
  observedGeneration 3 int64
  lastTransitionTime 4 Time required
  reason 5 string required
  message 6 string required

Duration form=duration unpublished

FieldSelectorRequirement
  key 1 string required
  operator 2 string required go=FieldSelectorOperator
  values 3 []string list=atomic

FieldsV1 form=raw

LabelSelector map=atomic
  matchLabels 1 map:string
  matchExpressions 2 []LabelSelectorRequirement list=atomic

LabelSelectorRequirement
  key 1 string required
  operator 2 string required go=LabelSelectorOperator
  values 3 []string list=atomic

List kind unpublished
  metadata 1 ListMeta
  items 2 []runtime.RawExtension required

ListMeta
  selfLink 1 string
  resourceVersion 2 string
  continue 3 string
  remainingItemCount 4 *int64
  shardInfo 5 *ShardInfo since=1.36

ManagedFieldsEntry
  manager 1 string
  operation 2 string go=ManagedFieldsOperationType
  apiVersion 3 string
  time 4 *Time
  fieldsType 6 string
  fieldsV1 7 *FieldsV1
  subresource 8 string

MicroTime form=microTime

ObjectMeta
  name 1 string
  generateName 2 string
  namespace 3 string
  selfLink 4 string
  uid 5 string go=types.UID
  resourceVersion 6 string
  generation 7 int64
  creationTimestamp 8 Time omitted@1.34
  deletionTimestamp 9 *Time
  deletionGracePeriodSeconds 10 *int64
  labels 11 map:string
  annotations 12 map:string
  ownerReferences 13 []OwnerReference list=map(uid) patch=merge
  finalizers 14 []string list=set patch=merge
  managedFields 17 []ManagedFieldsEntry list=atomic

OwnerReference map=atomic
  @json apiVersion kind name uid controller blockOwnerDeletion
  kind 1 string required
  name 3 string required
  uid 4 string required go=types.UID
  apiVersion 5 string required
  controller 6 *boolean
  blockOwnerDeletion 7 *boolean

PartialObjectMetadata kind unpublished
  metadata 1 ObjectMeta

PartialObjectMetadataList kind unpublished
  metadata 1 ListMeta
  items 2 []PartialObjectMetadata required

Patch

ShardInfo since=1.36
  selector 1 string required

Status kind
  metadata 1 ListMeta
  status 2 string
  message 3 string
  reason 4 string go=StatusReason
  details 5 *StatusDetails list@-1.35=atomic
  code 6 int32

StatusCause
  reason 1 string go=CauseType
  message 2 string
  field 3 string

StatusDetails
  @json name group kind uid causes retryAfterSeconds
  name 1 string
  group 2 string
  kind 3 string
  causes 4 []StatusCause list=atomic
  retryAfterSeconds 5 int32
  uid 6 string go=types.UID

Time form=time

Timestamp unpublished
  seconds 1 int64 required
  nanos 2 int32 required

TypeMeta unpublished
  kind 1 string
  apiVersion 2 string

WatchEvent
  type 1 string required
  object 2 runtime.RawExtension required
`,
} satisfies Declarations;
