import type { Strategy } from '../../strategy.ts';
import { storageVersionMigrationStrategy } from './storage-version-migration.ts';

export const strategies: Record<string, Strategy> = {
  storageversionmigrations: storageVersionMigrationStrategy,
};
