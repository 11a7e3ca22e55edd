import type { Declarations } from '../declare.ts';

export default {
  family: 'storage_v1',
  group: 'storage.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.api.storage.v1',
  types: `
CSIDriver kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 CSIDriverSpec required

CSIDriverList kind
  metadata 1 meta_v1.ListMeta
  items 2 []CSIDriver required

CSIDriverSpec
  attachRequired 1 *boolean
  podInfoOnMount 2 *boolean
  volumeLifecycleModes 3 []string list=set go=VolumeLifecycleMode
  storageCapacity 4 *boolean
  fsGroupPolicy 5 *string go=FSGroupPolicy
  tokenRequests 6 []TokenRequest list=atomic
  requiresRepublish 7 *boolean
  seLinuxMount 8 *boolean
  nodeAllocatableUpdatePeriodSeconds 9 *int64 since=1.33
  serviceAccountTokenInSecrets 10 *boolean since=1.35
  preventPodSchedulingIfMissing 11 *boolean since=1.36

CSINode kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 CSINodeSpec required
  status 3 CSINodeStatus since=1.37

CSINodeDriver
  name 1 string required
  nodeID 2 string required
  topologyKeys 3 []string shown list=atomic
  allocatable 4 *VolumeNodeResources

CSINodeList kind
  metadata 1 meta_v1.ListMeta
  items 2 []CSINode required

CSINodeSpec
  drivers 1 []CSINodeDriver required list=map(name) patch=merge

CSINodeStatus since=1.37
  storageHealth 1 []StorageHealth list=map(name) patch=merge

CSIStorageCapacity kind
  metadata 1 meta_v1.ObjectMeta
  nodeTopology 2 *meta_v1.LabelSelector
  storageClassName 3 string required
  capacity 4 *quantity.Quantity
  maximumVolumeSize 5 *quantity.Quantity

CSIStorageCapacityList kind
  metadata 1 meta_v1.ListMeta
  items 2 []CSIStorageCapacity required

StorageClass kind
  metadata 1 meta_v1.ObjectMeta
  provisioner 2 string required
  parameters 3 map:string
  reclaimPolicy 4 *string enum=Delete|Recycle|Retain go=PersistentVolumeReclaimPolicy
  mountOptions 5 []string list=atomic
  allowVolumeExpansion 6 *boolean
  volumeBindingMode 7 *string enum=Immediate|WaitForFirstConsumer go=VolumeBindingMode
  allowedTopologies 8 []core_v1.TopologySelectorTerm list=atomic

StorageClassList kind
  metadata 1 meta_v1.ListMeta
  items 2 []StorageClass required

StorageHealth since=1.37
  name 1 string required
  healthConditions 2 []StorageHealthCondition list=atomic

StorageHealthCondition since=1.37
  status 1 string required enum=StorageDegraded|StorageUnreachable go=StorageHealthStatusType
  reason 2 string required
  message 3 string
  accessMode 4 *string enum=ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod go=PersistentVolumeAccessMode
  volumeMode 5 *string enum=Block|Filesystem go=PersistentVolumeMode
  lastTransitionTime 6 meta_v1.Time

TokenRequest
  audience 1 string required
  expirationSeconds 2 *int64

VolumeAttachment kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 VolumeAttachmentSpec required
  status 3 VolumeAttachmentStatus

VolumeAttachmentList kind
  metadata 1 meta_v1.ListMeta
  items 2 []VolumeAttachment required

VolumeAttachmentSource
  persistentVolumeName 1 *string
  inlineVolumeSpec 2 *core_v1.PersistentVolumeSpec

VolumeAttachmentSpec
  attacher 1 string required
  source 2 VolumeAttachmentSource required
  nodeName 3 string required

VolumeAttachmentStatus
  attached 1 boolean required
  attachmentMetadata 2 map:string
  attachError 3 *VolumeError
  detachError 4 *VolumeError

VolumeAttributesClass kind since=1.34
  metadata 1 meta_v1.ObjectMeta
  driverName 2 string required
  parameters 3 map:string

VolumeAttributesClassList kind since=1.34
  metadata 1 meta_v1.ListMeta
  items 2 []VolumeAttributesClass required

VolumeError
  time 1 meta_v1.Time
  message 2 string
  errorCode 3 *int32 since=1.33

VolumeNodeResources
  count 1 *int32
`,
} satisfies Declarations;
