import type { BuiltinResource } from '../builtin-resource.ts';
import { storageVersions } from './storage-version.ts';

export const internalResources: readonly BuiltinResource[] = [storageVersions];
