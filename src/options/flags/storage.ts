import { bool, duration, integer, list, noEffect, type OptionsOf, text } from './flag.ts';

export const STORAGE = {
  defaultWatchCacheSize: integer(100, 'Watch caches size themselves.', {
    effect: 'none',
    because: 'history is bounded by bytes, not by the number of events',
    deprecated: 'watch caches are sized automatically and this flag will be removed in a future version',
  }),
  deleteCollectionWorkers: integer(
    1,
    'Concurrent deletions of a deletecollection request.',
    noEffect('objects are deleted one by one if each can be refused, else up to 16 at once'),
  ),
  enableGarbageCollector: bool(
    true,
    'Run the garbage collector, and honor propagation policies on deletion.',
  ),
  encryptionProviderConfig: text(
    '',
    'File with the EncryptionConfiguration: which stored resources are encrypted, and how.',
  ),
  encryptionProviderConfigAutomaticReload: bool(
    false,
    'Reload --encryption-provider-config when it changes.',
  ),
  etcdCafile: text('', 'CA bundle of etcd.'),
  etcdCertfile: text('', 'Client certificate for etcd.'),
  etcdCompactionInterval: duration('5m', 'Time between compactions of the history; 0 keeps all of it.'),
  etcdCountMetricPollPeriod: duration(
    '1m',
    'Time between counts of the objects per resource in etcd, for metrics; 0 disables them.',
  ),
  etcdDbMetricPollInterval: duration('30s', 'Time between readings of the database size, for metrics.'),
  etcdHealthcheckTimeout: duration('2s', 'Timeout of the etcd health check.'),
  etcdKeyfile: text('', 'Private key of --etcd-certfile.'),
  etcdPrefix: text('/registry', 'Prefix of all keys in etcd.'),
  etcdReadycheckTimeout: duration('2s', 'Timeout of the etcd readiness check.'),
  etcdServers: list([], 'URLs of the etcd servers that store the objects, instead of the embedded store.'),
  etcdServersOverrides: list(
    [],
    'etcd servers of single built-in resources, as group/resource#servers; the servers are separated by semicolons.',
  ),
  leaseReuseDurationSeconds: integer(60, 'Longest time in seconds that an etcd lease is reused.'),
  storageBackend: text(
    '',
    'Storage of objects: embedded (default, in the data directory), etcd3 (default with --etcd-servers) or memory (lost when the server stops).',
  ),
  storageMediaType: text(
    'application/vnd.kubernetes.protobuf',
    'Encoding of stored built-in objects; only the default is supported.',
    noEffect('stored built-in objects are always protobuf; other values are refused'),
  ),
  watchCache: bool(
    true,
    'Serve lists and watches from the cache in memory. Binnacle always does; if off, watches that fall behind the history are closed.',
  ),
  watchCacheSizes: list(
    [],
    'Watch cache sizes of single resources, as resource.group#size.',
    noEffect('history is bounded by bytes, not by the number of events'),
  ),
};

export type StorageOptions = OptionsOf<typeof STORAGE>;
