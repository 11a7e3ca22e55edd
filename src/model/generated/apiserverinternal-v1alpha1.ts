// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as metaV1 from './meta-v1.ts';

export interface ServerStorageVersion {
  apiServerID?: string;
  encodingVersion?: string;
  decodableVersions?: string[];
  servedVersions?: string[];
}

export type StorageVersion = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: StorageVersionSpec;
  status?: StorageVersionStatus;
};

export interface StorageVersionCondition {
  type?: string;
  status?: string;
  observedGeneration?: number;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}

export type StorageVersionList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: StorageVersion[];
};

export type StorageVersionSpec = Record<string, never>;

export interface StorageVersionStatus {
  storageVersions?: ServerStorageVersion[];
  commonEncodingVersion?: string;
  conditions?: StorageVersionCondition[];
}
