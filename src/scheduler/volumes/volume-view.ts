import type { PersistentVolume, PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
} from '../../model/generated/storage-v1.ts';

/** Volumes, claims and what drivers say about nodes, with what was decided and is not yet written. */
export interface VolumeView {
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  volumesOfClass(storageClass: string): Iterable<PersistentVolume>;
  storageClass(name: string): StorageClass | undefined;
  csiNode(name: string): CSINode | undefined;
  csiDriver(name: string): CSIDriver | undefined;
  capacities(): Iterable<CSIStorageCapacity>;
  attachmentsOf(node: string): Iterable<VolumeAttachment>;
}
