import type { Strategy } from '../../strategy.ts';
import { csiDriverStrategy } from './csi-driver.ts';
import { csiNodeStrategy } from './csi-node.ts';
import { csiStorageCapacityStrategy } from './csi-storage-capacity.ts';
import { storageClassStrategy } from './storage-class.ts';
import { volumeAttachmentStrategy } from './volume-attachment.ts';
import { volumeAttributesClassStrategy } from './volume-attributes-class.ts';

export const strategies: Record<string, Strategy> = {
  storageclasses: storageClassStrategy,
  csidrivers: csiDriverStrategy,
  csinodes: csiNodeStrategy,
  csistoragecapacities: csiStorageCapacityStrategy,
  volumeattachments: volumeAttachmentStrategy,
  volumeattributesclasses: volumeAttributesClassStrategy,
};
