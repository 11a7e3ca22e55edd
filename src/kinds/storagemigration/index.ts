import type { BuiltinResource } from '../builtin-resource.ts';
import { storageVersionMigrations } from './storage-version-migration.ts';

export const storagemigrationResources: readonly BuiltinResource[] = [storageVersionMigrations];
