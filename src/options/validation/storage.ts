import type { StorageOptions } from '../flags/storage.ts';
import type { FlagValues } from '../flags/table.ts';

const BACKENDS = ['embedded', 'memory'];
const MEDIA_TYPES = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/yaml'];

/** Validates the storage flags. */
export function validateStorage(values: StorageOptions & Pick<FlagValues, 'dataDir' | 'eventTtl'>): string[] {
  const problems: string[] = [];
  if (values.storageBackend !== '' && !BACKENDS.includes(values.storageBackend)) {
    problems.push(
      `--storage-backend invalid, allowed values: ${BACKENDS.join(', ')}. If not specified, it will default to 'embedded'`,
    );
  }
  if (values.dataDir === '')
    problems.push(
      '--data-dir must not be empty; use --storage-backend=memory to keep objects in memory only',
    );
  if (values.encryptionProviderConfigAutomaticReload && values.encryptionProviderConfig === '') {
    problems.push(
      '--encryption-provider-config-automatic-reload must be set with --encryption-provider-config',
    );
  }
  if (!MEDIA_TYPES.includes(values.storageMediaType)) {
    problems.push(
      `--storage-media-type ${JSON.stringify(values.storageMediaType)} invalid, allowed values: ${MEDIA_TYPES.join(', ')}`,
    );
  }
  if (values.etcdCompactionInterval < 0)
    problems.push('--etcd-compaction-interval can not be negative value');
  if (values.eventTtl < 0) problems.push('--event-ttl can not be negative value');
  problems.push(...values.watchCacheSizes.flatMap(validateWatchCacheSize));
  return problems;
}

/** Validates one `resource[.group]#size`. */
function validateWatchCacheSize(text: string): string[] {
  const parts = text.split('#');
  if (parts.length !== 2) return [`invalid value of watch cache size: ${text}`];
  if (!/^[+-]?\d+$/.test(parts[1]!)) return [`invalid size of watch cache size: ${text}`];
  return Number(parts[1]) < 0 ? [`watch cache size cannot be negative: ${text}`] : [];
}
