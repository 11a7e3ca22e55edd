/** Volumes of pods. */
export const VOLUMES: Readonly<Record<string, string>> = {
  Volume: 'Volume of a pod.',
  'Volume.name': 'Name of the volume, unique in the pod.',
  'Volume.emptyDir': 'Empty directory that has the lifetime of the pod.',
  'Volume.hostPath': 'File or directory of the node.',
  'Volume.configMap': 'Keys of a config map as files.',
  'Volume.secret': 'Keys of a secret as files.',
  'Volume.persistentVolumeClaim': 'Persistent volume to which a claim is bound.',
  'Volume.projected': 'Several sources in one directory.',
  'Volume.downwardAPI': 'Fields of the pod as files.',
  'Volume.ephemeral': 'Claim that has the lifetime of the pod.',
  'Volume.csi': 'Ephemeral volume of a CSI driver.',
  'Volume.nfs': 'NFS export.',
  'Volume.gcePersistentDisk':
    'Disk of Google Compute Engine. Deprecated: handled by the driver pd.csi.storage.gke.io.',
  'Volume.awsElasticBlockStore':
    'Volume of AWS Elastic Block Store. Deprecated: handled by the driver ebs.csi.aws.com.',
  'Volume.gitRepo':
    'Directory with a clone of a Git repository. Deprecated: clone in an init container into an emptyDir.',
  'Volume.iscsi': 'iSCSI disk that is attached to the node.',
  'Volume.glusterfs': 'Gluster volume. Deprecated: no longer supported by the kubelet.',
  'Volume.rbd': 'Ceph block device. Deprecated: no longer supported by the kubelet.',
  'Volume.flexVolume': 'Volume of an executable FlexVolume driver. Deprecated: use a CSI driver.',
  'Volume.cinder': 'Volume of OpenStack Cinder. Deprecated: handled by the driver cinder.csi.openstack.org.',
  'Volume.cephfs': 'Ceph file system. Deprecated: no longer supported by the kubelet.',
  'Volume.flocker': 'Flocker volume. Deprecated: no longer supported by the kubelet.',
  'Volume.fc': 'Fibre Channel disk that is attached to the node.',
  'Volume.azureFile': 'Share of Azure Files. Deprecated: handled by the driver file.csi.azure.com.',
  'Volume.vsphereVolume': 'vSphere volume. Deprecated: handled by the driver csi.vsphere.vmware.com.',
  'Volume.quobyte': 'Quobyte volume. Deprecated: no longer supported by the kubelet.',
  'Volume.azureDisk': 'Azure data disk. Deprecated: handled by the driver disk.csi.azure.com.',
  'Volume.photonPersistentDisk':
    'Disk of a Photon controller. Deprecated: no longer supported by the kubelet.',
  'Volume.portworxVolume': 'Portworx volume. Deprecated: handled by the driver pxd.portworx.com.',
  'Volume.scaleIO': 'ScaleIO volume. Deprecated: no longer supported by the kubelet.',
  'Volume.storageos': 'StorageOS volume. Deprecated: no longer supported by the kubelet.',
  'Volume.image':
    'Files of a container image or OCI artifact, mounted read-only. Needs the gate ImageVolume where it is not on by default.',
  ImageVolumeSource: 'Container image or OCI artifact that is mounted.',
  'ImageVolumeSource.reference':
    'Reference of the image or artifact, as in the image of a container. It may be omitted in templates that a controller completes.',
  'ImageVolumeSource.pullPolicy':
    'Always, IfNotPresent or Never. Default: Always for the tag latest, otherwise IfNotPresent.',
  EphemeralVolumeSource: 'Volume with a claim of its own, which lives as long as the pod.',
  'EphemeralVolumeSource.volumeClaimTemplate':
    'Claim that is created for the pod with the name POD-VOLUME, owned by the pod. Needed; cannot be changed.',
  CSIVolumeSource: 'Volume that a CSI driver makes for the pod.',
  'CSIVolumeSource.driver': 'Name of the driver, as registered in the cluster.',
  'CSIVolumeSource.readOnly': 'Whether the volume is mounted read-only. Default: false.',
  'CSIVolumeSource.fsType': 'File system of the volume, such as ext4. Default: chosen by the driver.',
  'CSIVolumeSource.volumeAttributes': 'Properties for the driver; its documentation has the names.',
  'CSIVolumeSource.nodePublishSecretRef':
    "Secret in the pod's namespace for NodePublishVolume and NodeUnpublishVolume.",
  ProjectedVolumeSource: 'Files of several sources in one directory.',
  'ProjectedVolumeSource.sources': 'Sources of the files. Each has exactly one member set.',
  'ProjectedVolumeSource.defaultMode':
    'Mode of files that have none of their own, 0 to 0777 in octal. Default: 0644.',
  'ProjectedVolumeSource.defaultUser': 'User that owns files that have none of their own, by identifier.',
  VolumeProjection: 'One source of files. Exactly one member is set.',
  'VolumeProjection.secret': 'Entries of a Secret.',
  'VolumeProjection.downwardAPI': 'Fields of the pod.',
  'VolumeProjection.configMap': 'Entries of a ConfigMap.',
  'VolumeProjection.serviceAccountToken': "Token of the pod's service account, which the kubelet renews.",
  'VolumeProjection.clusterTrustBundle':
    'CA certificates of ClusterTrustBundles, merged into one file and kept up to date.',
  'VolumeProjection.podCertificate':
    'Private key and certificate chain that the kubelet requests for the pod and renews.',
  ClusterTrustBundleProjection: "CA certificates of one bundle by name, or of a signer's bundles by labels.",
  'ClusterTrustBundleProjection.name':
    'Name of one ClusterTrustBundle. Excludes signerName and labelSelector.',
  'ClusterTrustBundleProjection.signerName': 'Signer whose bundles are merged. Excludes name.',
  'ClusterTrustBundleProjection.labelSelector':
    'Selects among the bundles of the signer. Absent selects none, an empty selector all.',
  'ClusterTrustBundleProjection.optional':
    'Whether the pod may start when no bundle is there: the file is then empty. Default: false.',
  'ClusterTrustBundleProjection.path': 'Path of the file, relative to the volume.',
  'ClusterTrustBundleProjection.user': 'User that owns the file, by identifier.',
  ServiceAccountTokenProjection: "Token of the pod's service account.",
  'ServiceAccountTokenProjection.audience': 'Audience for which the token is valid. Default: the API server.',
  'ServiceAccountTokenProjection.expirationSeconds':
    'Requested lifetime in seconds, at least 600. The kubelet renews the token after 80 % of it. Default: 3600.',
  'ServiceAccountTokenProjection.path': 'Path of the file, relative to the volume.',
  'ServiceAccountTokenProjection.user': 'User that owns the file, by identifier.',
  ConfigMapProjection: 'Entries of a ConfigMap as files.',
  'ConfigMapProjection.items':
    'Entries that become files, with their paths. Default: all entries, with their keys as names.',
  'ConfigMapProjection.optional':
    'Whether the pod may start without the object or the entries. Default: false.',
  'ConfigMapProjection.name': 'Name of the ConfigMap.',
  SecretProjection: 'Entries of a Secret as files.',
  'SecretProjection.items':
    'Entries that become files, with their paths. Default: all entries, with their keys as names.',
  'SecretProjection.optional': 'Whether the pod may start without the object or the entries. Default: false.',
  'SecretProjection.name': 'Name of the Secret.',
  ConfigMapVolumeSource: 'Entries of a ConfigMap as files of a volume.',
  'ConfigMapVolumeSource.items':
    'Entries that become files, with their paths. Default: all entries, with their keys as names.',
  'ConfigMapVolumeSource.optional':
    'Whether the pod may start without the object or the entries. Default: false.',
  'ConfigMapVolumeSource.name': 'Name of the ConfigMap.',
  'ConfigMapVolumeSource.defaultMode':
    'Mode of files that have none of their own, 0 to 0777 in octal. Default: 0644.',
  'ConfigMapVolumeSource.defaultUser': 'User that owns files that have none of their own, by identifier.',
  SecretVolumeSource: 'Entries of a Secret as files of a volume in memory.',
  'SecretVolumeSource.items':
    'Entries that become files, with their paths. Default: all entries, with their keys as names.',
  'SecretVolumeSource.optional':
    'Whether the pod may start without the object or the entries. Default: false.',
  'SecretVolumeSource.secretName': "Name of the Secret in the pod's namespace.",
  'SecretVolumeSource.defaultMode':
    'Mode of files that have none of their own, 0 to 0777 in octal. Default: 0644.',
  'SecretVolumeSource.defaultUser': 'User that owns files that have none of their own, by identifier.',
  DownwardAPIVolumeSource: 'Fields of the pod as files of a volume.',
  'DownwardAPIVolumeSource.defaultMode':
    'Mode of files that have none of their own, 0 to 0777 in octal. Default: 0644.',
  'DownwardAPIVolumeSource.defaultUser': 'User that owns files that have none of their own, by identifier.',
  'DownwardAPIVolumeSource.items': 'Files with the fields that they show.',
  KeyToPath: 'Entry that becomes a file.',
  'KeyToPath.key': 'Key of the entry.',
  'KeyToPath.path': 'Path of the file, relative to the volume, without the part .. in it.',
  'KeyToPath.mode': 'Mode of the file, 0 to 0777 in octal. Default: defaultMode of the volume.',
  'KeyToPath.user': 'User that owns the file, by identifier. Default: defaultUser of the volume.',
  DownwardAPIProjection: 'Fields of the pod as files.',
  'DownwardAPIProjection.items': 'Files with the fields that they show.',
  DownwardAPIVolumeFile: 'File that shows a field of the pod.',
  'DownwardAPIVolumeFile.path': 'Path of the file, relative to the volume, without the part .. in it.',
  'DownwardAPIVolumeFile.fieldRef':
    'Field of the pod: metadata.annotations, metadata.labels, metadata.name, metadata.namespace or metadata.uid, or one label or annotation.',
  'DownwardAPIVolumeFile.resourceFieldRef':
    'Resource of a container: limits and requests of cpu, memory, ephemeral-storage or huge pages.',
  'DownwardAPIVolumeFile.mode': 'Mode of the file, 0 to 0777 in octal. Default: defaultMode of the volume.',
  'DownwardAPIVolumeFile.user': 'User that owns the file, by identifier. Default: defaultUser of the volume.',
  PersistentVolumeClaimVolumeSource: 'Volume of a claim.',
  'PersistentVolumeClaimVolumeSource.claimName': "Name of the PersistentVolumeClaim in the pod's namespace.",
  'PersistentVolumeClaimVolumeSource.readOnly':
    'Whether all mounts of the volume are read-only. Default: false.',
  GitRepoVolumeSource: 'Clone of a Git repository. Deprecated.',
  'GitRepoVolumeSource.repository': 'URL of the repository.',
  'GitRepoVolumeSource.revision': 'Commit hash to check out.',
  'GitRepoVolumeSource.directory':
    'Directory for the clone: . means the volume itself. Default: a directory with the name of the repository.',
  EmptyDirVolumeSource: 'Empty directory that lives as long as the pod.',
  'EmptyDirVolumeSource.medium':
    'Empty for the disk of the node, Memory for a tmpfs, HugePages or HugePages-SIZE for huge pages. Default: empty.',
  'EmptyDirVolumeSource.sizeLimit':
    'Largest size of the directory; above it the pod is evicted. For Memory also bounded by the memory limits of the containers. Default: no limit.',
  'EmptyDirVolumeSource.mode': 'Mode of the directory, 0 to 01777 in octal. Default: 0777.',
  PodCertificateProjection:
    'Private key and certificate chain that the kubelet requests for the pod and renews.',
  'PodCertificateProjection.signerName': 'Signer that issues the certificate.',
  'PodCertificateProjection.keyType':
    'Type of the key that the kubelet makes: RSA3072, RSA4096, ECDSAP256, ECDSAP384, ECDSAP521 or ED25519.',
  'PodCertificateProjection.maxExpirationSeconds':
    'Longest lifetime of the certificate in seconds, 3600 to 7862400; the signer may choose a shorter one. Default: 86400.',
  'PodCertificateProjection.credentialBundlePath':
    'Path of one file with key and certificates in PEM, relative to the volume. One file is replaced at once, so prefer it to the other two.',
  'PodCertificateProjection.keyPath': 'Path of a file with the key in PEM, relative to the volume.',
  'PodCertificateProjection.certificateChainPath':
    'Path of a file with the certificates in PEM, relative to the volume.',
  'PodCertificateProjection.userAnnotations':
    'Values for the signer, passed in the certificate request; keys have a domain.',
  'PodCertificateProjection.user':
    'User that owns the files, by identifier. Default: defaultUser of the volume.',
};
