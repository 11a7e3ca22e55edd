import type { Declarations } from '../declare.ts';

export default {
  family: 'storage_v1beta1',
  group: 'storage.k8s.io',
  version: 'v1beta1',
  protobuf: 'k8s.io.api.storage.v1beta1',
  types: `
CSIDriver kind unpublished
  metadata 1 meta_v1.ObjectMeta
  spec 2 CSIDriverSpec required

CSIDriverList kind unpublished
  metadata 1 meta_v1.ListMeta
  items 2 []CSIDriver required

CSIDriverSpec unpublished
  attachRequired 1 *boolean
  podInfoOnMount 2 *boolean
  volumeLifecycleModes 3 []string list=atomic go=VolumeLifecycleMode
  storageCapacity 4 *boolean
  fsGroupPolicy 5 *string go=FSGroupPolicy
  tokenRequests 6 []TokenRequest list=atomic
  requiresRepublish 7 *boolean
  seLinuxMount 8 *boolean
  nodeAllocatableUpdatePeriodSeconds 9 *int64 since=1.33
  serviceAccountTokenInSecrets 10 *boolean since=1.35
  preventPodSchedulingIfMissing 11 *boolean since=1.36

CSINode kind unpublished
  metadata 1 meta_v1.ObjectMeta
  spec 2 CSINodeSpec required
  status 3 CSINodeStatus since=1.37

CSINodeDriver unpublished
  name 1 string required
  nodeID 2 string required
  topologyKeys 3 []string shown list=atomic
  allocatable 4 *VolumeNodeResources

CSINodeList kind unpublished
  metadata 1 meta_v1.ListMeta
  items 2 []CSINode required

CSINodeSpec unpublished
  drivers 1 []CSINodeDriver required list=map(name) patch=merge

CSINodeStatus since=1.37
  storageHealth 1 []StorageHealth

CSIStorageCapacity kind unpublished
  metadata 1 meta_v1.ObjectMeta
  nodeTopology 2 *meta_v1.LabelSelector
  storageClassName 3 string required
  capacity 4 *quantity.Quantity
  maximumVolumeSize 5 *quantity.Quantity

CSIStorageCapacityList kind unpublished
  metadata 1 meta_v1.ListMeta
  items 2 []CSIStorageCapacity required

StorageClass kind unpublished
  metadata 1 meta_v1.ObjectMeta
  provisioner 2 string required
  parameters 3 map:string
  reclaimPolicy 4 *string enum=Delete|Recycle|Retain go=v1.PersistentVolumeReclaimPolicy
  mountOptions 5 []string list=atomic
  allowVolumeExpansion 6 *boolean
  volumeBindingMode 7 *string go=VolumeBindingMode
  allowedTopologies 8 []core_v1.TopologySelectorTerm list=atomic

StorageClassList kind unpublished
  metadata 1 meta_v1.ListMeta
  items 2 []StorageClass required

StorageHealth since=1.37
  name 1 string shown
  healthConditions 2 []StorageHealthCondition

StorageHealthCondition since=1.37
  status 1 string shown go=StorageHealthStatusType
  reason 2 string shown
  message 3 string
  accessMode 4 *string go=v1.PersistentVolumeAccessMode
  volumeMode 5 *string go=v1.PersistentVolumeMode
  lastTransitionTime 6 meta_v1.Time

TokenRequest unpublished
  audience 1 string required
  expirationSeconds 2 *int64

VolumeAttachment kind unpublished
  metadata 1 meta_v1.ObjectMeta
  spec 2 VolumeAttachmentSpec required
  status 3 VolumeAttachmentStatus

VolumeAttachmentList kind unpublished
  metadata 1 meta_v1.ListMeta
  items 2 []VolumeAttachment required

VolumeAttachmentSource unpublished
  persistentVolumeName 1 *string
  inlineVolumeSpec 2 *core_v1.PersistentVolumeSpec

VolumeAttachmentSpec unpublished
  attacher 1 string required
  source 2 VolumeAttachmentSource required
  nodeName 3 string required

VolumeAttachmentStatus unpublished
  attached 1 boolean required
  attachmentMetadata 2 map:string
  attachError 3 *VolumeError
  detachError 4 *VolumeError

VolumeAttributesClass kind
  metadata 1 meta_v1.ObjectMeta
  driverName 2 string required
  parameters 3 map:string

VolumeAttributesClassList kind
  metadata 1 meta_v1.ListMeta
  items 2 []VolumeAttributesClass required

VolumeError unpublished
  time 1 meta_v1.Time
  message 2 string
  errorCode 3 *int32 since=1.33

VolumeNodeResources unpublished
  count 1 *int32
`,
} satisfies Declarations;
