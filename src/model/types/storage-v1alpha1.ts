import type { Declarations } from '../declare.ts';

export default {
  family: 'storage_v1alpha1',
  group: 'storage.k8s.io',
  version: 'v1alpha1',
  protobuf: 'k8s.io.api.storage.v1alpha1',
  types: `
CSIStorageCapacity kind unpublished
  metadata 1 meta_v1.ObjectMeta
  nodeTopology 2 *meta_v1.LabelSelector
  storageClassName 3 string required
  capacity 4 *quantity.Quantity
  maximumVolumeSize 5 *quantity.Quantity

CSIStorageCapacityList kind unpublished
  metadata 1 meta_v1.ListMeta
  items 2 []CSIStorageCapacity required

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
`,
} satisfies Declarations;
