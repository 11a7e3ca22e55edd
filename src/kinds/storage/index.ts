import type { BuiltinResource } from '../builtin-resource.ts';
import { csiDrivers } from './csi-driver.ts';
import { csiNodes } from './csi-node.ts';
import { csiStorageCapacities } from './csi-storage-capacity.ts';
import { storageClasses } from './storage-class.ts';
import { volumeAttachments } from './volume-attachment.ts';
import { volumeAttributesClasses } from './volume-attributes-class.ts';

export const storageResources: readonly BuiltinResource[] = [
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  storageClasses,
  volumeAttachments,
  volumeAttributesClasses,
];
