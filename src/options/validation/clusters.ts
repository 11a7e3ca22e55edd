import type { FlagValues } from '../flags/table.ts';
import { storageBackend } from './storage.ts';

/** Validates the options of further clusters. */
export function validateClusters(values: FlagValues): string[] {
  if (!values.clusters || values.ephemeral) return [];
  const backend = storageBackend(values.storageBackend, values.etcdServers);
  return backend === 'memory'
    ? []
    : [
        `--clusters needs objects in memory, and this server keeps them ${backend === 'embedded' ? 'in a data directory' : 'in etcd'}: use --ephemeral or --storage-backend=memory`,
      ];
}
