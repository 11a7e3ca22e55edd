import type { Minor } from '../model/life.ts';
import { DEFAULT_MINOR } from '../model/scheme.ts';
import { storedDecoder } from '../resources/decode-stored.ts';
import { createMemoryStorage } from '../storage/memory/memory-storage.ts';
import { configureServer } from './configure-server.ts';
import { createResources, createServiceAllocator } from './resources.ts';

export interface StoredDecoder {
  /** @throws an error for a value that a server could not read */
  decode(key: string, value: Uint8Array): void;
  /** Values that were not decoded so far. */
  readonly counts: Readonly<Record<'encrypted' | 'unknown', number>>;
  close(): void;
}

/** Creates a decoder of stored values without a server. @param minor whose kinds it reads; it must be loaded */
export function createStoredDecoder(minor: Minor = DEFAULT_MINOR): StoredDecoder {
  const configuration = configureServer({ storageBackend: 'memory', kubernetesVersion: minor });
  const storage = createMemoryStorage();
  const resources = createResources({
    configuration,
    storage,
    allocator: createServiceAllocator(configuration, storage),
    authorization: () => undefined,
  });
  const counts = { encrypted: 0, unknown: 0 };
  const decodeStored = storedDecoder(resources);
  return {
    decode(key, value) {
      const decoded = decodeStored(key, value);
      if (decoded !== 'object') counts[decoded] += 1;
    },
    counts,
    close: () => resources.close(),
  };
}
