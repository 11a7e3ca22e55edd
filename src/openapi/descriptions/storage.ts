/** Kinds of the group storage.k8s.io. */
export const STORAGE: Readonly<Record<string, string>> = {
  TokenRequest: 'Request for a token of a service account.',
  'TokenRequest.audience': 'Audience of the token; empty means the audience of the API server.',
  CSIDriver: 'CSI driver that is installed in the cluster.',
  CSINode: 'CSI drivers that are installed on a node.',
  CSIStorageCapacity: 'Available capacity of a storage class in a topology segment.',
  'CSIStorageCapacity.nodeTopology':
    'Selects the nodes from which the capacity can be used. Absent means none; an empty selector all. Cannot be changed.',
  'CSIStorageCapacity.storageClassName':
    'StorageClass for which the capacity was determined. Cannot be changed.',
  'CSIStorageCapacity.capacity':
    "Storage that is still free, as the driver's GetCapacity reported it. Absent means that it is not known.",
  'CSIStorageCapacity.maximumVolumeSize':
    'Size of the largest volume that can be created now. Absent means that the driver did not report it.',
  StorageClass: 'Class of storage, with the parameters for provisioning volumes.',
  'StorageClass.provisioner': 'Provisioner of the volumes.',
  'StorageClass.parameters': 'Parameters of the provisioner.',
  'StorageClass.reclaimPolicy': 'Reclaim policy of the volumes: Delete or Retain. Default: Delete.',
  'StorageClass.volumeBindingMode': 'Immediate, or WaitForFirstConsumer to bind when a pod uses the claim.',
  'StorageClass.allowVolumeExpansion': 'Whether claims can be expanded.',
  'StorageClass.mountOptions': 'Mount options of the volumes.',
  'StorageClass.allowedTopologies':
    'Restricts where volumes are provisioned dynamically. Empty means anywhere. Only with volumeBindingMode WaitForFirstConsumer it also follows the scheduling of the pod.',
  VolumeAttachment: 'Request to attach a volume to a node, or its attachment.',
  VolumeAttributesClass: 'Class of volume attributes that can be changed after provisioning.',
  'VolumeAttributesClass.driverName':
    'Name of the CSI driver that understands the parameters. Cannot be changed.',
  'VolumeAttributesClass.parameters':
    'Attributes for the driver, such as throughput. At most 512 entries and 256 KiB; cannot be changed.',
  TopologySelectorTerm: 'Set of topologies; all its requirements must match.',
  'TopologySelectorTerm.matchLabelExpressions': 'Requirements on labels of topology.',
  TopologySelectorLabelRequirement: 'Requirement on one label of topology.',
  'TopologySelectorLabelRequirement.key': 'Key of the label, such as topology.kubernetes.io/zone.',
  'TopologySelectorLabelRequirement.values': 'Values of which one must match.',
  VolumeAttachmentSpec: 'Volume, node and driver of an attachment. Cannot be changed.',
  'VolumeAttachmentSpec.attacher': 'CSI driver that attaches the volume.',
  'VolumeAttachmentSpec.source': 'The volume to attach.',
  'VolumeAttachmentSpec.nodeName': 'Node to which the volume is attached.',
  VolumeAttachmentSource: 'The volume to attach. Exactly one member is set.',
  'VolumeAttachmentSource.persistentVolumeName': 'Name of the PersistentVolume.',
  'VolumeAttachmentSource.inlineVolumeSpec':
    'Specification of a volume that a pod names inline, translated to a CSI volume by migration from in-tree plugins.',
  VolumeAttachmentStatus: 'Progress of attaching and detaching. Written by the attacher.',
  'VolumeAttachmentStatus.attached': 'Whether the volume is attached to the node.',
  'VolumeAttachmentStatus.attachmentMetadata':
    'Data that the driver returned for the later steps of mounting.',
  'VolumeAttachmentStatus.attachError': 'The last error while attaching.',
  'VolumeAttachmentStatus.detachError': 'The last error while detaching.',
  VolumeError: 'Error of an attach or detach operation.',
  'VolumeError.time': 'Time at which the error happened.',
  'VolumeError.message': 'Text of the error, without secrets: it can be logged.',
  'VolumeError.errorCode':
    'Status code of gRPC that the driver returned. Needs the gate MutableCSINodeAllocatableCount.',
  CSINodeSpec: 'CSI drivers of a node.',
  'CSINodeSpec.drivers': 'Drivers that have registered with the kubelet. Empty if there are none.',
  CSINodeStatus: 'State of the storage of a node.',
  'CSINodeStatus.storageHealth': 'Health of storage by CSI driver.',
  StorageHealth: 'Health of the storage of one CSI driver on the node.',
  'StorageHealth.name': 'Name of the CSI driver.',
  'StorageHealth.healthConditions': 'Health that the driver reported, by access mode and volume mode.',
  StorageHealthCondition: 'Health of storage with one access mode and volume mode.',
  'StorageHealthCondition.accessMode': 'Access mode of the volumes that the condition is about.',
  'StorageHealthCondition.volumeMode': 'Filesystem or Block: the volumes that the condition is about.',
  'StorageHealthCondition.status': 'StorageUnreachable or StorageDegraded: what is wrong with the storage.',
  'StorageHealthCondition.reason': 'Machine-readable reason in CamelCase, at most 256 characters.',
  'StorageHealthCondition.message': 'Details from the CSI driver for people, at most 1024 characters.',
  'StorageHealthCondition.lastTransitionTime': 'Time at which the condition first had its present state.',
  CSINodeDriver: 'CSI driver on a node.',
  'CSINodeDriver.name': 'Name of the driver, as its GetPluginName returns it.',
  'CSINodeDriver.nodeID':
    "Name of the node in the driver's storage system, which may differ from the name of the Node.",
  'CSINodeDriver.topologyKeys':
    'Labels of the node by which the driver describes topology. Empty if it does not support topology.',
  'CSINodeDriver.allocatable': 'Volume resources of the node for this driver.',
  VolumeNodeResources: 'Volume resources of a node.',
  'VolumeNodeResources.count':
    'Number of different volumes that the driver can attach to the node. Absent means no limit.',
  CSIDriverSpec: 'What a CSI driver supports and needs.',
  'CSIDriverSpec.attachRequired':
    'Whether volumes must be attached before they are mounted: a VolumeAttachment is then awaited. Default: true. Cannot be changed.',
  'CSIDriverSpec.podInfoOnMount':
    'Whether NodePublishVolume gets the name, namespace, UID and service account of the pod. Default: false.',
  'CSIDriverSpec.volumeLifecycleModes':
    'Persistent for volumes of persistent volume claims, Ephemeral for volumes declared inline in pods. Default: Persistent. Cannot be changed.',
  'CSIDriverSpec.storageCapacity':
    'Whether the scheduler considers the CSIStorageCapacity objects of the driver. Default: false.',
  'CSIDriverSpec.fsGroupPolicy':
    'Whether ownership of a volume is changed to the fsGroup of the pod. ReadWriteOnceWithFSType does it for volumes of one writer with a file system, File always, None never. Default: ReadWriteOnceWithFSType.',
  'CSIDriverSpec.tokenRequests':
    "Tokens of the pod's service account that the kubelet passes to NodePublishVolume. Audiences are unique.",
  'CSIDriverSpec.requiresRepublish':
    'Whether NodePublishVolume is called periodically to refresh the contents of mounted volumes. Default: false.',
  'CSIDriverSpec.seLinuxMount':
    'Whether the driver mounts with the option -o context, so that volumes of pods with different SELinux labels can be kept apart. Default: false.',
  'CSIDriverSpec.nodeAllocatableUpdatePeriodSeconds':
    'Seconds between updates of the allocatable count of the driver in CSINode; at least 10. Absent means no periodic updates.',
  'CSIDriverSpec.serviceAccountTokenInSecrets':
    'Whether tokens of service accounts are passed in the secrets of NodePublishVolume instead of in the volume context. Only with tokenRequests. Default: false.',
  'CSIDriverSpec.preventPodSchedulingIfMissing':
    'Whether the scheduler keeps pods that use the driver off nodes where it is not registered. Default: false.',
  'storage_v1.TokenRequest': 'Token of a service account that is passed to a CSI driver.',
  'storage_v1.TokenRequest.expirationSeconds':
    'Lifetime of the token in seconds. Absent means the default of the TokenRequest API.',
};
