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
  PersistentVolumeClaimStatus: 'Status of a persistent volume claim.',
  'PersistentVolumeClaimStatus.phase': 'Pending, Bound or Lost.',
  'PersistentVolumeClaimStatus.accessModes': 'Actual access modes of the volume.',
  'PersistentVolumeClaimStatus.capacity': 'Actual size of the volume.',
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
};
