// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as metaV1 from './meta-v1.ts';

export interface GroupVersionResource {
  group?: string;
  version?: string;
  resource?: string;
}

export interface MigrationCondition {
  type?: string;
  status?: string;
  lastUpdateTime?: string | null;
  reason?: string;
  message?: string;
}

export type StorageVersionMigration = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: StorageVersionMigrationSpec;
  status?: StorageVersionMigrationStatus;
};

export type StorageVersionMigrationList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: StorageVersionMigration[];
};

export interface StorageVersionMigrationSpec {
  resource?: GroupVersionResource;
  continueToken?: string;
}

export interface StorageVersionMigrationStatus {
  conditions?: MigrationCondition[];
  resourceVersion?: string;
}
