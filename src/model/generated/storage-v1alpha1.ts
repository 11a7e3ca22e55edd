// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export type CSIStorageCapacity = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  nodeTopology?: metaV1.LabelSelector;
  storageClassName?: string;
  capacity?: string;
  maximumVolumeSize?: string;
};

export type CSIStorageCapacityList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: CSIStorageCapacity[];
};

export type VolumeAttachment = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: VolumeAttachmentSpec;
  status?: VolumeAttachmentStatus;
};

export type VolumeAttachmentList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: VolumeAttachment[];
};

export interface VolumeAttachmentSource {
  persistentVolumeName?: string;
  inlineVolumeSpec?: coreV1.PersistentVolumeSpec;
}

export interface VolumeAttachmentSpec {
  attacher?: string;
  source?: VolumeAttachmentSource;
  nodeName?: string;
}

export interface VolumeAttachmentStatus {
  attached?: boolean;
  attachmentMetadata?: Record<string, string>;
  attachError?: VolumeError;
  detachError?: VolumeError;
}

export type VolumeAttributesClass = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  driverName?: string;
  parameters?: Record<string, string>;
};

export type VolumeAttributesClassList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: VolumeAttributesClass[];
};

export interface VolumeError {
  time?: string | null;
  message?: string;
  errorCode?: number;
}
