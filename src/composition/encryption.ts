import { reloadOnChange } from '../files/file-watch.ts';
import type { HealthCheck } from '../handlers/endpoints/health.ts';
import type { Logger } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import { type EncryptionMetrics, encryptionMetrics } from '../observability/metrics-encryption.ts';
import type { EncryptionRule } from '../options/documents/encryption.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import { encryptedTypeOf } from '../resources/storage-type.ts';
import type { Storage } from '../storage/storage.ts';
import { holdingClock, processClock } from '../time/clock.ts';
import { pause } from '../time/pause.ts';
import { hashLabel } from './hash-label.ts';
import { assembleEncryption, type EncryptionAssembly } from './key-services.ts';
import { serverIdentity } from './open-storage.ts';
import type { RequestGate } from './request-gate.ts';

/** Between attempts to reach key services at start, and during a reload, in milliseconds. */
const START_PAUSE = 1000;
const RELOAD_PAUSE = 100;
/** Least time that the key services of a new configuration have to become healthy, in milliseconds. */
const LEAST_RELOAD_PATIENCE = 10_000;

type EncryptionOptions = OptionSlice<
  'encryptionProviderConfig' | 'encryptionProviderConfigAutomaticReload' | 'etcdPrefix'
>;

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
  /**
   * Waits until every key service has answered once, and logs each failed attempt; without them, values can
   * neither be read nor written. Meanwhile the gate answers health checks.
   */
  waitForKeys(gate: RequestGate): Promise<void>;
  stop(): void;
}

/**
 * Wraps a store with encryption and reloads its configuration when the file changes. Without
 * `--encryption-provider-config` the store is returned as it is.
 * @throws ConfigurationError
 */
export async function encryptStorage(options: EncryptionDependencies): Promise<Encryption> {
  const { configuration, encryption, storage } = options;
  if (encryption === undefined)
    return { storage, checks: [], waitForKeys: async () => undefined, stop: () => undefined };
  const { values } = configuration;
  const module = await import('../storage/encryption/index.ts');
  const metrics = encryptionMetrics(options.metrics.registry);
  const identityHash = hashLabel(serverIdentity().name);
  const assemble = ({ rules }: ReadEncryption) =>
    assembleEncryption(rules, {
      module,
      metrics,
      logger: options.logger,
      identityHash,
      onHealthy: () => void encrypted.retryUnreadable(),
    });
  const active = new ActiveEncryption(assemble(encryption));
  const encrypted: InstanceType<typeof module.EncryptedStorage> = new module.EncryptedStorage({
    inner: storage,
    encryption: active.current,
    typeOf: encryptedTypeOf,
    ...(configuration.storageBackend === 'etcd3' && { fullKey: await keyInEtcd(values.etcdPrefix) }),
  });
  const automatic = values.encryptionProviderConfigAutomaticReload;
  const stopReloading = automatic
    ? reloadEncryption(options, encryption.text, metrics, identityHash, async (next) => {
        const assembly = assemble(next);
        await active.validate(assembly);
        await encrypted.reload(assembly);
        active.replace(assembly);
      })
    : () => undefined;
  await active.current.start();
  return {
    storage: encrypted,
    checks:
      automatic || active.current.asynchronous
        ? [{ name: 'kms-providers', endpoints: ['healthz', 'readyz'], check: () => active.current.check() }]
        : [],
    waitForKeys: (gate) => active.waitForKeys(gate),
    stop() {
      stopReloading();
      active.close();
    },
  };
}

/** The configuration in force. */
class ActiveEncryption {
  #closed = false;

  constructor(public current: EncryptionAssembly) {}

  /** Starts a new configuration; closes it if its key services do not become healthy. @throws Error */
  async validate(next: EncryptionAssembly): Promise<void> {
    await next.start();
    const end = processClock.monotonic() + Math.max(LEAST_RELOAD_PATIENCE, next.gracePeriod);
    for (;;) {
      const problem = await next.check();
      if (problem === undefined) return;
      if (this.#closed || processClock.monotonic() > end) {
        next.close();
        throw new Error(`health check for new transformers failed: ${problem.message}`);
      }
      await pause(RELOAD_PAUSE, holdingClock);
    }
  }

  /** Requests in flight may still use the previous configuration for its grace period. */
  replace(next: EncryptionAssembly): void {
    const before = this.current;
    this.current = next;
    processClock.after(before.gracePeriod, () => before.close());
  }

  async waitForKeys(gate: RequestGate): Promise<void> {
    const isWaiting = () => !this.#closed && this.current.providers.some(({ primed }) => !primed);
    if (!isWaiting()) return;
    gate.waitFor('kms-providers');
    while (isWaiting()) {
      await pause(START_PAUSE, holdingClock);
      await this.current.check();
    }
    gate.storageAnswers();
  }

  close(): void {
    this.#closed = true;
    this.current.close();
  }
}

/** Applies each new content of the file. @returns a function that stops it */
function reloadEncryption(
  { configuration, logger }: EncryptionDependencies,
  initial: string,
  metrics: EncryptionMetrics,
  identityHash: string,
  apply: (next: ReadEncryption) => Promise<void>,
): () => void {
  const file = configuration.values.encryptionProviderConfig;
  let known = initial;
  const record = (status: 'success' | 'failure'): void => {
    metrics.reloads.with(status, identityHash).add();
    (status === 'success' ? metrics.reloadSuccesses : metrics.reloadFailures).with(identityHash).add();
    metrics.lastReload.with(status, identityHash).set(processClock.now() / 1000);
  };
  const reload = async (): Promise<void> => {
    const next = await readEncryption(configuration);
    if (next === undefined || next.text === known) return;
    await apply(next);
    known = next.text;
    record('success');
    logger.info('reloaded the encryption configuration', { file });
  };
  return reloadOnChange({
    files: [file],
    reload: () =>
      reload().catch((error: Error) => {
        record('failure');
        logger.error('failed to reload the encryption configuration; keeping the previous one', {
          err: error.message,
        });
      }),
  });
}

/** Values are bound to their keys in etcd. */
async function keyInEtcd(prefix: string): Promise<(key: string) => string> {
  const { KeyMapper, cleanPrefix } = await import('../storage/etcd/keys.ts');
  const mapper = new KeyMapper(cleanPrefix(prefix));
  return (key) => mapper.toEtcd(key);
}
