import { createHash } from 'node:crypto';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { reloadOnChange } from '../files/file-watch.ts';
import type { HealthCheck } from '../handlers/endpoints/health.ts';
import type { Logger } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import { type EncryptionMetrics, encryptionMetrics } from '../observability/metrics-encryption.ts';
import type { EncryptionRule } from '../options/documents/encryption.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import { encryptedTypeOf } from '../registry/storage-type.ts';
import type { Storage } from '../storage/storage.ts';
import { type ServerIdentityOptions, serverIdentity } from './open-storage.ts';

const REFUSED_VERSION =
  'error while building transformers: KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.';

type EncryptionModule = typeof import('../storage/encryption/index.ts');
type EncryptionOptions = OptionSlice<
  'encryptionProviderConfig' | 'encryptionProviderConfigAutomaticReload' | 'etcdPrefix'
> &
  ServerIdentityOptions;

/** An EncryptionConfiguration and the text that it was parsed from. */
export interface ReadEncryption {
  readonly text: string;
  readonly rules: readonly EncryptionRule[];
}

/**
 * Reads the file of `--encryption-provider-config`; undefined if the flag is not set.
 * @throws ConfigurationError
 */
export async function readEncryption({
  values: { encryptionProviderConfig: file, encryptionProviderConfigAutomaticReload: reload },
}: Pick<Configuration<EncryptionOptions>, 'values'>): Promise<ReadEncryption | undefined> {
  if (file === '') return undefined;
  const { parseEncryption, readEncryptionFile } = await import('../options/documents/encryption.ts');
  const text = readEncryptionFile(file).toString('utf8');
  return { text, rules: parseEncryption(text, file, reload) };
}

export interface EncryptionDependencies {
  readonly configuration: Configuration<EncryptionOptions>;
  readonly encryption: ReadEncryption | undefined;
  readonly storage: Storage;
  readonly metrics: ServerMetrics;
  readonly logger: Logger;
}

/** A store that encrypts its values as configured. */
export interface Encryption {
  readonly storage: Storage;
  readonly checks: readonly HealthCheck[];
  stop(): void;
}

/**
 * Wraps a store with encryption and reloads its configuration when the file changes. Without
 * `--encryption-provider-config` the store is returned as it is.
 * @throws ConfigurationError
 */
export async function encryptStorage(options: EncryptionDependencies): Promise<Encryption> {
  const { configuration, encryption, storage, metrics, logger } = options;
  if (encryption === undefined) return { storage, checks: [], stop: () => undefined };
  const { values } = configuration;
  const module = await import('../storage/encryption/index.ts');
  const ownMetrics = encryptionMetrics(metrics.registry);
  const assemble = ({ rules }: ReadEncryption) => assembly(module, rules, ownMetrics);
  const encrypted = new module.EncryptedStorage({
    inner: storage,
    encryption: assemble(encryption),
    typeOf: encryptedTypeOf,
    ...(configuration.storageBackend === 'etcd3' && { fullKey: await keyInEtcd(values.etcdPrefix) }),
  });
  if (!values.encryptionProviderConfigAutomaticReload)
    return { storage: encrypted, checks: [], stop: () => undefined };
  let known = encryption.text;
  const reload = async (): Promise<void> => {
    const next = await readEncryption(configuration);
    if (next === undefined || next.text === known) return;
    await encrypted.reload(assemble(next));
    known = next.text;
    recordReload(ownMetrics, configuration, 'success');
    logger.info('reloaded the encryption configuration', { file: values.encryptionProviderConfig });
  };
  const stop = reloadOnChange({
    files: [values.encryptionProviderConfig],
    reload: () =>
      reload().catch((error: Error) => {
        recordReload(ownMetrics, configuration, 'failure');
        logger.error('failed to reload the encryption configuration; keeping the previous one', {
          err: error.message,
        });
      }),
  });
  return {
    storage: encrypted,
    checks: [{ name: 'kms-providers', endpoints: ['healthz', 'readyz'], check: () => undefined }],
    stop,
  };
}

/** Values are bound to their keys in etcd. */
async function keyInEtcd(prefix: string): Promise<(key: string) => string> {
  const { KeyMapper, cleanPrefix } = await import('../storage/etcd/keys.ts');
  const mapper = new KeyMapper(cleanPrefix(prefix));
  return (key) => mapper.toEtcd(key);
}

function assembly(
  { EncryptionRules }: EncryptionModule,
  rules: readonly EncryptionRule[],
  metrics: EncryptionMetrics,
) {
  return {
    asynchronous: false,
    rules: EncryptionRules.create(rules, {
      keyService({ apiVersion }) {
        throw new ConfigurationError(
          apiVersion === 'v1'
            ? REFUSED_VERSION
            : 'error while building transformers: KMSv2 is not supported yet',
        );
      },
      record(resource, type, prefix, seconds, error) {
        const status = error === undefined ? 'OK' : 'unknown-non-grpc';
        metrics.transformations.with(resource, type, prefix, status).add();
        if (error === undefined) metrics.transformationDuration.with(type, prefix).observe(seconds);
      },
    }),
  };
}

function recordReload(
  metrics: EncryptionMetrics,
  configuration: Configuration<EncryptionOptions>,
  status: 'success' | 'failure',
): void {
  const { name } = serverIdentity(configuration);
  const identity = `sha256:${createHash('sha256').update(name).digest('hex')}`;
  metrics.reloads.with(status, identity).add();
  (status === 'success' ? metrics.reloadSuccesses : metrics.reloadFailures).with(identity).add();
  metrics.lastReload.with(status, identity).set(Date.now() / 1000);
}
