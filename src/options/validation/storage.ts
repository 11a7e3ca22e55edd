import { isServer, parseOverride } from '../etcd-servers.ts';
import type { StorageOptions } from '../flags/storage.ts';
import type { FlagValues } from '../flags/table.ts';

const BACKENDS = ['embedded', 'etcd3', 'memory'] as const;

/** The backend of `--storage-backend`; by default etcd if `--etcd-servers` names some, else the embedded store. */
export function storageBackend(name: string, etcdServers: readonly string[]): (typeof BACKENDS)[number] {
  const named = BACKENDS.find((backend) => backend === name);
  return named ?? (etcdServers.length > 0 ? 'etcd3' : 'embedded');
}

type StorageValues = StorageOptions &
  Pick<FlagValues, 'dataDir' | 'eventTtl' | 'serviceAccountSigningKeyFile'>;

const MEDIA_TYPES = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/yaml'];

/** Validates the storage flags. */
export function validateStorage(values: StorageValues): string[] {
  const problems: string[] = [];
  if (values.storageBackend !== '' && !BACKENDS.some((backend) => backend === values.storageBackend)) {
    problems.push(
      `--storage-backend invalid, allowed values: ${BACKENDS.join(', ')}. If not specified, it will default to 'embedded'`,
    );
  }
  problems.push(...validateEtcd(values));
  if (values.dataDir === '')
    problems.push(
      '--data-dir must not be empty; use --storage-backend=memory to keep objects in memory only',
    );
  if (values.encryptionProviderConfigAutomaticReload && values.encryptionProviderConfig === '') {
    problems.push(
      '--encryption-provider-config-automatic-reload must be set with --encryption-provider-config',
    );
  }
  if (values.storageMediaType !== '' && !MEDIA_TYPES.includes(values.storageMediaType)) {
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

/** Validates the flags of etcd. */
function validateEtcd(values: StorageValues): string[] {
  const problems: string[] = [];
  const servers = values.etcdServers;
  if (values.storageBackend === 'etcd3' && servers.length === 0)
    problems.push('--etcd-servers must be specified');
  if (values.storageBackend !== '' && values.storageBackend !== 'etcd3' && servers.length > 0)
    problems.push(`--etcd-servers can not be combined with --storage-backend=${values.storageBackend}`);
  for (const server of servers) problems.push(...validateServer('--etcd-servers', server));
  problems.push(...values.etcdServersOverrides.flatMap(validateOverride));
  if ((values.etcdCertfile === '') !== (values.etcdKeyfile === ''))
    problems.push('--etcd-certfile and --etcd-keyfile must be specified together');
  if (servers.length > 0 && values.serviceAccountSigningKeyFile === '')
    problems.push(
      '--service-account-signing-key-file must be specified with --etcd-servers: all servers on one store sign and accept tokens with the same key; create one with "openssl genrsa -out FILE 2048"',
    );
  return problems;
}

function validateServer(flag: string, server: string): string[] {
  return isServer(server) ? [] : [`${flag}: ${JSON.stringify(server)} is not an http or https URL`];
}

function validateOverride(text: string): string[] {
  try {
    return parseOverride(text).servers.flatMap((server) =>
      validateServer('--etcd-servers-overrides', server),
    );
  } catch (error) {
    return [(error as Error).message];
  }
}
