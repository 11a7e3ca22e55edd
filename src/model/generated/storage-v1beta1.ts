// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export type CSIDriver = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: CSIDriverSpec;
};

export type CSIDriverList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: CSIDriver[];
};

export interface CSIDriverSpec {
  attachRequired?: boolean;
  podInfoOnMount?: boolean;
  volumeLifecycleModes?: string[];
  storageCapacity?: boolean;
  fsGroupPolicy?: string;
  tokenRequests?: TokenRequest[];
  requiresRepublish?: boolean;
  seLinuxMount?: boolean;
  nodeAllocatableUpdatePeriodSeconds?: number;
  serviceAccountTokenInSecrets?: boolean;
  preventPodSchedulingIfMissing?: boolean;
}

export type CSINode = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: CSINodeSpec;
  status?: CSINodeStatus;
};

export interface CSINodeDriver {
  name?: string;
  nodeID?: string;
  topologyKeys?: string[];
  allocatable?: VolumeNodeResources;
}

export type CSINodeList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: CSINode[];
};

export interface CSINodeSpec {
  drivers?: CSINodeDriver[];
}

export interface CSINodeStatus {
  storageHealth?: StorageHealth[];
}

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

export type StorageClass = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  provisioner?: string;
  parameters?: Record<string, string>;
  reclaimPolicy?: string;
  mountOptions?: string[];
  allowVolumeExpansion?: boolean;
  volumeBindingMode?: string;
  allowedTopologies?: coreV1.TopologySelectorTerm[];
};

export type StorageClassList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: StorageClass[];
};

export interface StorageHealth {
  name?: string;
  healthConditions?: StorageHealthCondition[];
}

export interface StorageHealthCondition {
  status?: string;
  reason?: string;
  message?: string;
  accessMode?: string;
  volumeMode?: string;
  lastTransitionTime?: string | null;
}

export interface TokenRequest {
  audience?: string;
  expirationSeconds?: number;
}

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

export interface VolumeNodeResources {
  count?: number;
}
