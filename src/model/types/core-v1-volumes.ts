import type { Declarations } from '../declare.ts';

export default {
  family: 'core_v1',
  group: '',
  version: 'v1',
  protobuf: 'k8s.io.api.core.v1',
  types: `
AWSElasticBlockStoreVolumeSource
  volumeID 1 string required
  fsType 2 string
  partition 3 int32
  readOnly 4 boolean

AzureDiskVolumeSource
  diskName 1 string required
  diskURI 2 string required
  cachingMode 3 *string default="ReadWrite" enum=None|ReadOnly|ReadWrite go=AzureDataDiskCachingMode
  fsType 4 *string default="ext4"
  readOnly 5 *boolean default=false
  kind 6 *string default="Shared" enum=Dedicated|Managed|Shared go=AzureDataDiskKind

AzureFileVolumeSource
  secretName 1 string required
  shareName 2 string required
  readOnly 3 boolean

CSIVolumeSource
  driver 1 string required
  readOnly 2 *boolean
  fsType 3 *string
  volumeAttributes 4 map:string
  nodePublishSecretRef 5 *LocalObjectReference

CephFSVolumeSource
  monitors 1 []string required list=atomic
  path 2 string
  user 3 string
  secretFile 4 string
  secretRef 5 *LocalObjectReference
  readOnly 6 boolean

CinderVolumeSource
  volumeID 1 string required
  fsType 2 string
  readOnly 3 boolean
  secretRef 4 *LocalObjectReference

ClusterTrustBundleProjection
  @json name signerName labelSelector optional path user
  name 1 *string
  signerName 2 *string
  labelSelector 3 *meta_v1.LabelSelector
  path 4 string required
  optional 5 *boolean
  user 6 *int64 since=1.37

ConfigMapProjection
  localObjectReference 1 LocalObjectReference inline
  items 2 []KeyToPath list=atomic
  optional 4 *boolean

ConfigMapVolumeSource
  localObjectReference 1 LocalObjectReference inline
  items 2 []KeyToPath list=atomic
  defaultMode 3 *int32
  optional 4 *boolean
  defaultUser 5 *int64 since=1.37

DownwardAPIProjection
  items 1 []DownwardAPIVolumeFile list=atomic

DownwardAPIVolumeFile
  path 1 string required
  fieldRef 2 *ObjectFieldSelector
  resourceFieldRef 3 *ResourceFieldSelector
  mode 4 *int32
  user 5 *int64 since=1.37

DownwardAPIVolumeSource
  items 1 []DownwardAPIVolumeFile list=atomic
  defaultMode 2 *int32
  defaultUser 3 *int64 since=1.37

EmptyDirVolumeSource
  medium 1 string go=StorageMedium
  sizeLimit 2 *quantity.Quantity
  mode 3 *int32 since=1.37

EphemeralVolumeSource
  volumeClaimTemplate 1 *PersistentVolumeClaimTemplate

FCVolumeSource
  targetWWNs 1 []string list=atomic
  lun 2 *int32
  fsType 3 string
  readOnly 4 boolean
  wwids 5 []string list=atomic

FlexVolumeSource
  driver 1 string required
  fsType 2 string
  secretRef 3 *LocalObjectReference
  readOnly 4 boolean
  options 5 map:string

FlockerVolumeSource
  datasetName 1 string
  datasetUUID 2 string

GCEPersistentDiskVolumeSource
  pdName 1 string required
  fsType 2 string
  partition 3 int32
  readOnly 4 boolean

GitRepoVolumeSource
  repository 1 string required
  revision 2 string
  directory 3 string

GlusterfsVolumeSource
  endpoints 1 string required
  path 2 string required
  readOnly 3 boolean

HostPathVolumeSource
  path 1 string required
  type 2 *string enum=|BlockDevice|CharDevice|Directory|DirectoryOrCreate|File|FileOrCreate|Socket go=HostPathType

ISCSIVolumeSource
  @json targetPortal iqn lun iscsiInterface fsType readOnly portals chapAuthDiscovery chapAuthSession secretRef initiatorName
  targetPortal 1 string required
  iqn 2 string required
  lun 3 int32 required
  iscsiInterface 4 string default="default"
  fsType 5 string
  readOnly 6 boolean
  portals 7 []string list=atomic
  chapAuthDiscovery 8 boolean
  secretRef 10 *LocalObjectReference
  chapAuthSession 11 boolean
  initiatorName 12 *string

ImageVolumeSource
  reference 1 string
  pullPolicy 2 string enum=Always|IfNotPresent|Never go=PullPolicy

ImageVolumeStatus since=1.36
  imageRef 1 string required omitted nodefault

KeyToPath
  key 1 string required
  path 2 string required
  mode 3 *int32
  user 4 *int64 since=1.37

LocalVolumeSource
  path 1 string required
  fsType 2 *string

NFSVolumeSource
  server 1 string required
  path 2 string required
  readOnly 3 boolean

PhotonPersistentDiskVolumeSource
  pdID 1 string required
  fsType 2 string

PodCertificateProjection since=1.34
  signerName 1 string required omitted nodefault
  keyType 2 string required omitted nodefault
  maxExpirationSeconds 3 *int32
  credentialBundlePath 4 string
  keyPath 5 string
  certificateChainPath 6 string
  userAnnotations 7 map:string since=1.35
  user 8 *int64 since=1.37

PortworxVolumeSource
  volumeID 1 string required
  fsType 2 string
  readOnly 3 boolean

ProjectedVolumeSource
  sources 1 []VolumeProjection shown list=atomic
  defaultMode 2 *int32
  defaultUser 3 *int64 since=1.37

QuobyteVolumeSource
  registry 1 string required
  volume 2 string required
  readOnly 3 boolean
  user 4 string
  group 5 string
  tenant 6 string

RBDVolumeSource
  monitors 1 []string required list=atomic
  image 2 string required
  fsType 3 string
  pool 4 string default="rbd"
  user 5 string default="admin"
  keyring 6 string default="/etc/ceph/keyring"
  secretRef 7 *LocalObjectReference
  readOnly 8 boolean

ScaleIOVolumeSource
  gateway 1 string required
  system 2 string required
  secretRef 3 *LocalObjectReference required shown
  sslEnabled 4 boolean
  protectionDomain 5 string
  storagePool 6 string
  storageMode 7 string default="ThinProvisioned"
  volumeName 8 string
  fsType 9 string default="xfs"
  readOnly 10 boolean

SecretProjection
  localObjectReference 1 LocalObjectReference inline
  items 2 []KeyToPath list=atomic
  optional 4 *boolean

SecretVolumeSource
  secretName 1 string
  items 2 []KeyToPath list=atomic
  defaultMode 3 *int32
  optional 4 *boolean
  defaultUser 5 *int64 since=1.37

ServiceAccountTokenProjection
  audience 1 string
  expirationSeconds 2 *int64
  path 3 string required
  user 4 *int64 since=1.37

StorageOSVolumeSource
  volumeName 1 string
  volumeNamespace 2 string
  fsType 3 string
  readOnly 4 boolean
  secretRef 5 *LocalObjectReference

Volume
  name 1 string required
  volumeSource 2 VolumeSource inline

VolumeDevice
  name 1 string required
  devicePath 2 string required

VolumeMount
  @json name readOnly recursiveReadOnly mountPath subPath mountPropagation subPathExpr bindMountOptions
  name 1 string required
  readOnly 2 boolean
  mountPath 3 string required
  subPath 4 string
  mountPropagation 5 *string enum=Bidirectional|HostToContainer|None go=MountPropagationMode
  subPathExpr 6 string
  recursiveReadOnly 7 *string go=RecursiveReadOnlyMode
  bindMountOptions 8 []string list=set since=1.37

VolumeMountStatus
  name 1 string required
  mountPath 2 string required
  readOnly 3 boolean
  recursiveReadOnly 4 *string go=RecursiveReadOnlyMode
  volumeStatus 5 *VolumeStatus since=1.36

VolumeProjection
  secret 1 *SecretProjection
  downwardAPI 2 *DownwardAPIProjection
  configMap 3 *ConfigMapProjection
  serviceAccountToken 4 *ServiceAccountTokenProjection
  clusterTrustBundle 5 *ClusterTrustBundleProjection
  podCertificate 6 *PodCertificateProjection since=1.34

VolumeSource unpublished
  @json hostPath emptyDir gcePersistentDisk awsElasticBlockStore gitRepo secret nfs iscsi glusterfs persistentVolumeClaim rbd flexVolume cinder cephfs flocker downwardAPI fc azureFile configMap vsphereVolume quobyte azureDisk photonPersistentDisk projected portworxVolume scaleIO storageos csi ephemeral image
  hostPath 1 *HostPathVolumeSource
  emptyDir 2 *EmptyDirVolumeSource
  gcePersistentDisk 3 *GCEPersistentDiskVolumeSource
  awsElasticBlockStore 4 *AWSElasticBlockStoreVolumeSource
  gitRepo 5 *GitRepoVolumeSource
  secret 6 *SecretVolumeSource
  nfs 7 *NFSVolumeSource
  iscsi 8 *ISCSIVolumeSource
  glusterfs 9 *GlusterfsVolumeSource
  persistentVolumeClaim 10 *PersistentVolumeClaimVolumeSource
  rbd 11 *RBDVolumeSource
  flexVolume 12 *FlexVolumeSource
  cinder 13 *CinderVolumeSource
  cephfs 14 *CephFSVolumeSource
  flocker 15 *FlockerVolumeSource
  downwardAPI 16 *DownwardAPIVolumeSource
  fc 17 *FCVolumeSource
  azureFile 18 *AzureFileVolumeSource
  configMap 19 *ConfigMapVolumeSource
  vsphereVolume 20 *VsphereVirtualDiskVolumeSource
  quobyte 21 *QuobyteVolumeSource
  azureDisk 22 *AzureDiskVolumeSource
  photonPersistentDisk 23 *PhotonPersistentDiskVolumeSource
  portworxVolume 24 *PortworxVolumeSource
  scaleIO 25 *ScaleIOVolumeSource
  projected 26 *ProjectedVolumeSource
  storageos 27 *StorageOSVolumeSource
  csi 28 *CSIVolumeSource
  ephemeral 29 *EphemeralVolumeSource
  image 30 *ImageVolumeSource

VolumeStatus since=1.36
  image 1 *ImageVolumeStatus

VsphereVirtualDiskVolumeSource
  volumePath 1 string required
  fsType 2 string
  storagePolicyName 3 string
  storagePolicyID 4 string
`,
} satisfies Declarations;
