// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as metaV1 from './meta-v1.ts';

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
  resource?: metaV1.GroupResource;
}

export interface StorageVersionMigrationStatus {
  conditions?: metaV1.Condition[];
  resourceVersion?: string;
}
