import { schemeOf } from '../../src/model/scheme.ts';
import { Resources } from '../../src/resources/resources.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { DEPENDENCIES } from './builtin-resources.ts';

/** A registry of all built-in resources on a store. */
export const resourcesOn = (storage: Storage, scheme = schemeOf()): Resources =>
  new Resources({
    scheme,
    storage,
    dependencies: DEPENDENCIES,
    eventBytes: 1 << 20,
    encodingCacheBytes: 1 << 20,
  });
