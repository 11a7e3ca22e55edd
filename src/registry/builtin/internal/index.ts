import type { Strategy } from '../../strategy.ts';
import { storageVersionStrategy } from './storage-version.ts';

export const strategies: Record<string, Strategy> = { storageversions: storageVersionStrategy };
