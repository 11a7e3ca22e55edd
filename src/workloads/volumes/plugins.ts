import type { PersistentVolume } from '../../model/generated/core-v1.ts';
import { annotationOf, PROVISIONED_BY } from '../../reconcile/volumes/annotations.ts';

/** Names of volume plugins that were once part of Kubernetes, and of the drivers that replace them. */
const MIGRATED: ReadonlyMap<string, string> = new Map([
  ['kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
  ['kubernetes.io/azure-disk', 'disk.csi.azure.com'],
  ['kubernetes.io/azure-file', 'file.csi.azure.com'],
  ['kubernetes.io/cinder', 'cinder.csi.openstack.org'],
  ['kubernetes.io/gce-pd', 'pd.csi.storage.gke.io'],
  ['kubernetes.io/portworx-volume', 'pxd.portworx.com'],
  ['kubernetes.io/vsphere-volume', 'csi.vsphere.vmware.com'],
]);

/** On a claim or volume: the driver that acts for the plugin that it names. */
export const MIGRATED_TO = 'pv.kubernetes.io/migrated-to';
export const HOST_PATH = 'kubernetes.io/host-path';
const NFS = 'kubernetes.io/nfs';

/** The driver that replaces a plugin; undefined for other plugins, and for drivers. */
export const driverOf = (plugin: string): string | undefined => MIGRATED.get(plugin);

/** Whether a plugin is part of Kubernetes: only its controller makes and deletes the volumes. */
export const isInTree = (plugin: string): boolean => plugin.startsWith('kubernetes.io/');

/** Why kube-controller-manager finds no plugin of a name that makes volumes. */
export const noProvisioner = (plugin: string): string =>
  plugin === NFS ? 'no provisionable volume plugin matched' : `no volume plugin matched name: ${plugin}`;

const noDeleter = (plugin: string): string =>
  plugin === NFS ? 'no deletable volume plugin matched' : `no volume plugin matched name: ${plugin}`;

/** The plugin of host paths deletes those with this part, and something behind it. */
const DELETABLE_PATH = '/tmp/';

/** What can be done to delete the storage of a volume. */
export type Deletion =
  | { readonly by: 'controller' }
  /** A driver of its own does it. */
  | { readonly by: 'driver' }
  | { readonly by: 'nobody'; readonly problem: string };

const BY_DRIVER: Deletion = { by: 'driver' };
const nobody = (problem: string): Deletion => ({ by: 'nobody', problem });

/** Who deletes the storage of a volume. */
export function deletionOf(volume: PersistentVolume): Deletion {
  const { metadata, spec } = volume;
  const plugin = annotationOf(metadata, PROVISIONED_BY) ?? '';
  if (plugin !== '') {
    if (plugin === HOST_PATH) return hostPathDeletion(volume);
    return isInTree(plugin) ? nobody(noDeleter(plugin)) : BY_DRIVER;
  }
  if (annotationOf(metadata, MIGRATED_TO) !== undefined || spec?.csi !== undefined) return BY_DRIVER;
  if (spec?.hostPath !== undefined) return hostPathDeletion(volume);
  const problem = spec?.nfs === undefined ? 'no volume plugin matched' : noDeleter(NFS);
  return nobody(`error getting deleter volume plugin for volume "${metadata?.name}": ${problem}`);
}

/** No file is deleted: the nodes are simulated, and this server is not one of the others. */
function hostPathDeletion({ metadata, spec }: PersistentVolume): Deletion {
  const path = spec?.hostPath?.path;
  if (path === undefined)
    return nobody(
      `failed to create deleter for volume "${metadata?.name}": spec.PersistentVolumeSource.HostPath is nil`,
    );
  const start = path.indexOf(DELETABLE_PATH);
  if (start >= 0 && start + DELETABLE_PATH.length < path.length) return { by: 'controller' };
  return nobody(`host_path deleter only supports ${DELETABLE_PATH}.+ but received provided ${path}`);
}

/** Whether the files of a volume could be removed so that another claim gets it. */
export const isRecyclable = ({ spec }: PersistentVolume): boolean =>
  spec?.hostPath !== undefined || spec?.nfs !== undefined;
