/** Persistent volumes and claims. */
export const PERSISTENT_VOLUMES: Readonly<Record<string, string>> = {
  PersistentVolumeClaim: 'Request for storage, which is bound to a persistent volume.',
  PersistentVolumeClaimSpec: 'Specification of a persistent volume claim.',
  'PersistentVolumeClaimSpec.accessModes': 'Requested access modes of the volume.',
  'PersistentVolumeClaimSpec.selector': 'Label selector of the volumes that may be bound.',
  'PersistentVolumeClaimSpec.resources': 'Requested size of the volume.',
  'PersistentVolumeClaimSpec.volumeName': 'Name of the bound persistent volume.',
  'PersistentVolumeClaimSpec.storageClassName':
    'Name of the storage class. Empty means no class; absent means the default class.',
  'PersistentVolumeClaimSpec.volumeMode': 'Filesystem or Block. Default: Filesystem.',
  'PersistentVolumeClaimSpec.dataSource': 'Volume snapshot or claim from which the volume is populated.',
  'PersistentVolumeClaimSpec.dataSourceRef': 'Object from which the volume is populated.',
  'PersistentVolumeClaimSpec.volumeAttributesClassName':
    'VolumeAttributesClass for the attributes of the volume. It may be changed after creation; the volume is then modified. Absent means the attributes of the storage class.',
  PersistentVolumeClaimStatus: 'Status of a persistent volume claim.',
  'PersistentVolumeClaimStatus.phase': 'Pending, Bound or Lost.',
  'PersistentVolumeClaimStatus.accessModes': 'Actual access modes of the volume.',
  'PersistentVolumeClaimStatus.capacity': 'Actual size of the volume.',
  'PersistentVolumeClaimStatus.allocatedResources':
    'Storage reserved for the claim. During a resize it can exceed capacity, and then counts for quota.',
  'PersistentVolumeClaimStatus.allocatedResourceStatuses':
    'State of a resize by resource: ControllerResizeInProgress, ControllerResizeInfeasible, NodeResizePending, NodeResizeInProgress or NodeResizeInfeasible. Absent when no resize is going on.',
  'PersistentVolumeClaimStatus.currentVolumeAttributesClassName':
    'VolumeAttributesClass that is in effect for the volume.',
  'PersistentVolumeClaimStatus.modifyVolumeStatus':
    'Progress of a change of the VolumeAttributesClass. Absent when no change is going on.',
  'PersistentVolumeClaimStatus.healthStatus': 'Health of the volume as the CSI driver reports it.',
  PersistentVolume: 'Storage in the cluster with a lifecycle that is independent of pods.',
  PersistentVolumeSpec: 'Specification of a persistent volume.',
  'PersistentVolumeSpec.capacity': 'Size of the volume.',
  'PersistentVolumeSpec.accessModes': 'Access modes that the volume supports.',
  'PersistentVolumeSpec.claimRef': 'Claim to which the volume is bound.',
  'PersistentVolumeSpec.persistentVolumeReclaimPolicy':
    'What happens to the volume after its claim is deleted: Retain, Delete or Recycle.',
  'PersistentVolumeSpec.storageClassName': 'Name of the storage class.',
  'PersistentVolumeSpec.volumeMode': 'Filesystem or Block. Default: Filesystem.',
  'PersistentVolumeSpec.nodeAffinity': 'Nodes from which the volume is accessible.',
  'PersistentVolumeSpec.mountOptions':
    'Mount options such as ro or soft. They are not validated: mounting fails when one is wrong.',
  'PersistentVolumeSpec.volumeAttributesClassName':
    "VolumeAttributesClass of the volume; it must be the one of the bound claim. Set by the volume's provisioner.",
  'PersistentVolumeSpec.gcePersistentDisk':
    'Disk of Google Compute Engine. Deprecated: handled by the driver pd.csi.storage.gke.io.',
  'PersistentVolumeSpec.awsElasticBlockStore':
    'Volume of AWS Elastic Block Store. Deprecated: handled by the driver ebs.csi.aws.com.',
  'PersistentVolumeSpec.hostPath': 'Directory of the node, for tests on a single node. Not for production.',
  'PersistentVolumeSpec.glusterfs': 'Gluster volume. Deprecated: no longer supported by the kubelet.',
  'PersistentVolumeSpec.nfs': 'Export of an NFS server.',
  'PersistentVolumeSpec.rbd': 'Ceph block device. Deprecated: no longer supported by the kubelet.',
  'PersistentVolumeSpec.iscsi': 'iSCSI disk that is attached to the node.',
  'PersistentVolumeSpec.cinder':
    'Volume of OpenStack Cinder. Deprecated: handled by the driver cinder.csi.openstack.org.',
  'PersistentVolumeSpec.cephfs': 'Ceph file system. Deprecated: no longer supported by the kubelet.',
  'PersistentVolumeSpec.fc': 'Fibre Channel disk that is attached to the node.',
  'PersistentVolumeSpec.flocker': 'Flocker volume. Deprecated: no longer supported by the kubelet.',
  'PersistentVolumeSpec.flexVolume':
    'Volume of an executable FlexVolume driver. Deprecated: use a CSI driver.',
  'PersistentVolumeSpec.azureFile':
    'Share of Azure Files. Deprecated: handled by the driver file.csi.azure.com.',
  'PersistentVolumeSpec.vsphereVolume':
    'vSphere volume. Deprecated: handled by the driver csi.vsphere.vmware.com.',
  'PersistentVolumeSpec.quobyte': 'Quobyte volume. Deprecated: no longer supported by the kubelet.',
  'PersistentVolumeSpec.azureDisk': 'Azure data disk. Deprecated: handled by the driver disk.csi.azure.com.',
  'PersistentVolumeSpec.photonPersistentDisk':
    'Disk of a Photon controller. Deprecated: no longer supported by the kubelet.',
  'PersistentVolumeSpec.portworxVolume':
    'Portworx volume. Deprecated: handled by the driver pxd.portworx.com.',
  'PersistentVolumeSpec.scaleIO': 'ScaleIO volume. Deprecated: no longer supported by the kubelet.',
  'PersistentVolumeSpec.local': 'Disk, partition or directory of one node. Needs nodeAffinity.',
  'PersistentVolumeSpec.storageos': 'StorageOS volume. Deprecated: no longer supported by the kubelet.',
  'PersistentVolumeSpec.csi': 'Volume of a CSI driver.',
  PersistentVolumeStatus: 'State of a persistent volume.',
  'PersistentVolumeStatus.phase':
    'Pending, Available (not yet bound), Bound, Released (its claim was deleted) or Failed (it could not be reclaimed).',
  'PersistentVolumeStatus.lastPhaseTransitionTime': 'Time at which phase last changed.',
  'PersistentVolumeStatus.reason': 'Why the volume is in its phase, in CamelCase.',
  'PersistentVolumeStatus.message': 'Why the volume is in its phase, for people.',
  VolumeNodeAffinity: 'Nodes from which a volume can be reached.',
  'VolumeNodeAffinity.required':
    'Node selector that nodes must match. The scheduler places pods with the volume only there.',
  ModifyVolumeStatus: 'Progress of a change of the VolumeAttributesClass.',
  'ModifyVolumeStatus.targetVolumeAttributesClassName':
    'VolumeAttributesClass to which the volume is being changed.',
  'ModifyVolumeStatus.status':
    'Pending while the target class does not exist, InProgress, or Infeasible when the driver rejected the change.',
  PersistentVolumeClaimCondition: 'State of a claim at its last change.',
  'PersistentVolumeClaimCondition.type':
    'Resizing, FileSystemResizePending, ControllerResizeError, NodeResizeError, ModifyVolumeError or ModifyingVolume; others are possible.',
  VolumeHealthStatus: 'Health of a volume.',
  'VolumeHealthStatus.healthConditions': 'Conditions that the CSI driver reported.',
  VolumeHealthCondition: "Condition of a volume's health.",
  'VolumeHealthCondition.message': 'Details from the CSI driver for people.',
  'VolumeHealthCondition.status': 'Inaccessible, DataLoss or Degraded: what is wrong with the volume.',
  'VolumeHealthCondition.reason':
    'Machine-readable reason in CamelCase; with status it identifies the entry.',
  PersistentVolumeClaimTemplate: 'Claim that is made for a pod.',
  'PersistentVolumeClaimTemplate.metadata': 'Labels and annotations of the claim. Other metadata is refused.',
  'PersistentVolumeClaimTemplate.spec': 'Specification of the claim, copied unchanged.',
  TypedObjectReference: 'Reference to an object of a given kind, possibly in another namespace.',
  'TypedObjectReference.apiGroup': 'API group of the kind. Absent for the core group.',
  'TypedObjectReference.kind': 'Kind of the object.',
  'TypedObjectReference.name': 'Name of the object.',
  'TypedObjectReference.namespace':
    'Namespace of the object. Another namespace needs a ReferenceGrant there and the gate CrossNamespaceVolumeDataSource.',
  VolumeResourceRequirements: 'Storage that a claim needs.',
  'VolumeResourceRequirements.limits': 'Largest amount of storage that the volume may have.',
  'VolumeResourceRequirements.requests':
    'Smallest amount of storage that the volume must have. Default: limits if those are set.',
  SecretReference: 'Reference to a Secret in any namespace.',
  'SecretReference.name': 'Name of the Secret.',
  'SecretReference.namespace': 'Namespace of the Secret.',
  LocalVolumeSource: 'Storage of one node.',
  'LocalVolumeSource.path': 'Path on the node to a directory, or to a block device.',
  'LocalVolumeSource.fsType':
    'File system with which an unformatted block device is formatted, such as ext4. Default: chosen by the kubelet.',
  CSIPersistentVolumeSource: 'Volume of a CSI driver.',
  'CSIPersistentVolumeSource.driver': 'Name of the driver, as its GetPluginName returns it.',
  'CSIPersistentVolumeSource.volumeHandle':
    'Identifier that the driver gave the volume at its creation; it is passed in all later calls.',
  'CSIPersistentVolumeSource.readOnly':
    'Whether the driver is asked to publish the volume as read-only. Default: false.',
  'CSIPersistentVolumeSource.fsType':
    'File system of the volume, such as ext4. Default: chosen by the driver.',
  'CSIPersistentVolumeSource.volumeAttributes':
    'Static properties that the driver returned at creation, passed in later calls.',
  'CSIPersistentVolumeSource.controllerPublishSecretRef':
    'Secret for ControllerPublishVolume and ControllerUnpublishVolume.',
  'CSIPersistentVolumeSource.nodeStageSecretRef': 'Secret for NodeStageVolume.',
  'CSIPersistentVolumeSource.nodePublishSecretRef': 'Secret for NodePublishVolume.',
  'CSIPersistentVolumeSource.controllerExpandSecretRef': 'Secret for ControllerExpandVolume.',
  'CSIPersistentVolumeSource.nodeExpandSecretRef': 'Secret for NodeExpandVolume.',
};
