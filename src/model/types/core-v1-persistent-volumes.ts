import type { Declarations } from '../declare.ts';

export default {
  family: 'core_v1',
  group: '',
  version: 'v1',
  protobuf: 'k8s.io.api.core.v1',
  types: `
AzureFilePersistentVolumeSource
  secretName 1 string required
  shareName 2 string required
  readOnly 3 boolean
  secretNamespace 4 *string shown

CSIPersistentVolumeSource
  driver 1 string required
  volumeHandle 2 string required
  readOnly 3 boolean
  fsType 4 string
  volumeAttributes 5 map:string
  controllerPublishSecretRef 6 *SecretReference
  nodeStageSecretRef 7 *SecretReference
  nodePublishSecretRef 8 *SecretReference
  controllerExpandSecretRef 9 *SecretReference
  nodeExpandSecretRef 10 *SecretReference

CephFSPersistentVolumeSource
  monitors 1 []string required list=atomic
  path 2 string
  user 3 string
  secretFile 4 string
  secretRef 5 *SecretReference
  readOnly 6 boolean

CinderPersistentVolumeSource
  volumeID 1 string required
  fsType 2 string
  readOnly 3 boolean
  secretRef 4 *SecretReference

FlexPersistentVolumeSource
  driver 1 string required
  fsType 2 string
  secretRef 3 *SecretReference
  readOnly 4 boolean
  options 5 map:string

GlusterfsPersistentVolumeSource
  endpoints 1 string required
  path 2 string required
  readOnly 3 boolean
  endpointsNamespace 4 *string

ISCSIPersistentVolumeSource
  @json targetPortal iqn lun iscsiInterface fsType readOnly portals chapAuthDiscovery chapAuthSession secretRef initiatorName
  targetPortal 1 string required
  iqn 2 string required
  lun 3 int32 required
  iscsiInterface 4 string default="default"
  fsType 5 string
  readOnly 6 boolean
  portals 7 []string list=atomic
  chapAuthDiscovery 8 boolean
  secretRef 10 *SecretReference
  chapAuthSession 11 boolean
  initiatorName 12 *string

ModifyVolumeStatus
  targetVolumeAttributesClassName 1 string
  status 2 string required enum=InProgress|Infeasible|Pending go=PersistentVolumeClaimModifyVolumeStatus

PersistentVolume kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 PersistentVolumeSpec
  status 3 PersistentVolumeStatus

PersistentVolumeClaim kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 PersistentVolumeClaimSpec
  status 3 PersistentVolumeClaimStatus

PersistentVolumeClaimCondition
  type 1 string required go=PersistentVolumeClaimConditionType
  status 2 string required go=ConditionStatus
  lastProbeTime 3 meta_v1.Time
  lastTransitionTime 4 meta_v1.Time
  reason 5 string
  message 6 string

PersistentVolumeClaimList kind
  metadata 1 meta_v1.ListMeta
  items 2 []PersistentVolumeClaim required

PersistentVolumeClaimSpec
  @json accessModes selector resources volumeName storageClassName volumeMode dataSource dataSourceRef volumeAttributesClassName
  accessModes 1 []string itemsEnum=ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod list=atomic go=PersistentVolumeAccessMode
  resources 2 VolumeResourceRequirements
  volumeName 3 string
  selector 4 *meta_v1.LabelSelector
  storageClassName 5 *string
  volumeMode 6 *string enum=Block|Filesystem go=PersistentVolumeMode
  dataSource 7 *TypedLocalObjectReference
  dataSourceRef 8 *TypedObjectReference
  volumeAttributesClassName 9 *string

PersistentVolumeClaimStatus
  phase 1 string enum=Bound|Lost|Pending go=PersistentVolumeClaimPhase
  accessModes 2 []string itemsEnum=ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod list=atomic go=PersistentVolumeAccessMode
  capacity 3 map:quantity.Quantity
  conditions 4 []PersistentVolumeClaimCondition list=map(type) patch=merge
  allocatedResources 5 map:quantity.Quantity
  allocatedResourceStatuses 7 map:string itemsEnum=ControllerResizeInProgress|ControllerResizeInfeasible|NodeResizeInProgress|NodeResizeInfeasible|NodeResizePending map=granular go=ClaimResourceStatus
  currentVolumeAttributesClassName 8 *string
  modifyVolumeStatus 9 *ModifyVolumeStatus
  healthStatus 10 *VolumeHealthStatus since=1.37

PersistentVolumeClaimTemplate
  metadata 1 meta_v1.ObjectMeta
  spec 2 PersistentVolumeClaimSpec required

PersistentVolumeClaimVolumeSource
  claimName 1 string required
  readOnly 2 boolean

PersistentVolumeList kind
  metadata 1 meta_v1.ListMeta
  items 2 []PersistentVolume required

PersistentVolumeSource unpublished
  gcePersistentDisk 1 *GCEPersistentDiskVolumeSource
  awsElasticBlockStore 2 *AWSElasticBlockStoreVolumeSource
  hostPath 3 *HostPathVolumeSource
  glusterfs 4 *GlusterfsPersistentVolumeSource
  nfs 5 *NFSVolumeSource
  rbd 6 *RBDPersistentVolumeSource
  iscsi 7 *ISCSIPersistentVolumeSource
  cinder 8 *CinderPersistentVolumeSource
  cephfs 9 *CephFSPersistentVolumeSource
  fc 10 *FCVolumeSource
  flocker 11 *FlockerVolumeSource
  flexVolume 12 *FlexPersistentVolumeSource
  azureFile 13 *AzureFilePersistentVolumeSource
  vsphereVolume 14 *VsphereVirtualDiskVolumeSource
  quobyte 15 *QuobyteVolumeSource
  azureDisk 16 *AzureDiskVolumeSource
  photonPersistentDisk 17 *PhotonPersistentDiskVolumeSource
  portworxVolume 18 *PortworxVolumeSource
  scaleIO 19 *ScaleIOPersistentVolumeSource
  local 20 *LocalVolumeSource
  storageos 21 *StorageOSPersistentVolumeSource
  csi 22 *CSIPersistentVolumeSource

PersistentVolumeSpec
  capacity 1 map:quantity.Quantity
  persistentVolumeSource 2 PersistentVolumeSource inline
  accessModes 3 []string itemsEnum=ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod list=atomic go=PersistentVolumeAccessMode
  claimRef 4 *ObjectReference map=granular
  persistentVolumeReclaimPolicy 5 string enum=Delete|Recycle|Retain go=PersistentVolumeReclaimPolicy
  storageClassName 6 string
  mountOptions 7 []string list=atomic
  volumeMode 8 *string enum=Block|Filesystem go=PersistentVolumeMode
  nodeAffinity 9 *VolumeNodeAffinity
  volumeAttributesClassName 10 *string

PersistentVolumeStatus
  phase 1 string enum=Available|Bound|Failed|Pending|Released go=PersistentVolumePhase
  message 2 string
  reason 3 string
  lastPhaseTransitionTime 4 *meta_v1.Time

RBDPersistentVolumeSource
  monitors 1 []string required list=atomic
  image 2 string required
  fsType 3 string
  pool 4 string default="rbd"
  user 5 string default="admin"
  keyring 6 string default="/etc/ceph/keyring"
  secretRef 7 *SecretReference
  readOnly 8 boolean

ScaleIOPersistentVolumeSource
  gateway 1 string required
  system 2 string required
  secretRef 3 *SecretReference required shown
  sslEnabled 4 boolean
  protectionDomain 5 string
  storagePool 6 string
  storageMode 7 string default="ThinProvisioned"
  volumeName 8 string
  fsType 9 string default="xfs"
  readOnly 10 boolean

StorageOSPersistentVolumeSource
  volumeName 1 string
  volumeNamespace 2 string
  fsType 3 string
  readOnly 4 boolean
  secretRef 5 *ObjectReference

TypedLocalObjectReference map=atomic
  apiGroup 1 *string shown
  kind 2 string required
  name 3 string required

TypedObjectReference
  apiGroup 1 *string shown
  kind 2 string required
  name 3 string required
  namespace 4 *string

VolumeHealthCondition since=1.37
  status 1 string required enum=DataLoss|Degraded|Inaccessible go=VolumeHealthStatusType
  reason 2 string required
  message 3 string

VolumeHealthStatus since=1.37
  healthConditions 1 []VolumeHealthCondition list=map(status,reason) patch=merge(status)
  lastTransitionTime 2 meta_v1.Time

VolumeNodeAffinity
  required 1 *NodeSelector

VolumeResourceRequirements
  limits 1 map:quantity.Quantity
  requests 2 map:quantity.Quantity
`,
} satisfies Declarations;
