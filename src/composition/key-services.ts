import { BoundedMap } from '../collections/bounded-map.ts';
import { aggregate } from '../errors/aggregate.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { Logger } from '../observability/log.ts';
import type { EncryptionMetrics } from '../observability/metrics-encryption.ts';
import type { EncryptionRule, KeyService } from '../options/documents/encryption.ts';
import type { EncryptionRules, KeyProvider, KeyProviderObserver } from '../storage/encryption/index.ts';
import { processClock } from '../time/clock.ts';
import { hashLabel } from './hash-label.ts';

type EncryptionModule = typeof import('../storage/encryption/index.ts');

/** Most ids of keys with series of metrics. */
const MOST_KEY_IDS = 100;
const VERSION_1 =
  'error while building transformers: KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.';

export interface AssemblyOptions {
  readonly module: EncryptionModule;
  readonly metrics: EncryptionMetrics;
  readonly logger: Logger;
  /** Label of this server in metrics. */
  readonly identityHash: string;
  /** Called when a key service answers. */
  readonly onHealthy: () => void;
}

/** The parts that a configuration needs. */
export interface EncryptionAssembly {
  readonly rules: EncryptionRules;
  readonly asynchronous: boolean;
  readonly providers: readonly KeyProvider[];
  /** How long requests may still use the key services after a reload, in milliseconds. */
  readonly gracePeriod: number;
  /** Checks the key services for the first time, and then periodically. */
  start(): Promise<void>;
  /** Returns why key services are not healthy. */
  check(): Promise<Error | undefined>;
  close(): void;
}

/** Creates the rules of a configuration and connects its key services. @throws ConfigurationError */
export function assembleEncryption(
  rules: readonly EncryptionRule[],
  options: AssemblyOptions,
): EncryptionAssembly {
  const { module, metrics } = options;
  const providers: KeyProvider[] = [];
  let timeouts = 0;
  const created = module.EncryptionRules.create(rules, {
    keyService(service) {
      if (service.apiVersion === 'v1') throw new ConfigurationError(VERSION_1);
      const provider = connectProvider(service, options);
      providers.push(provider);
      timeouts += service.timeout;
      return { prefix: `k8s:enc:kms:v2:${service.name}:`, transformer: provider.envelope };
    },
    record(resource, type, prefix, seconds, error) {
      metrics.transformations.with(resource, type, prefix, statusOf(error)).add();
      if (error === undefined) metrics.transformationDuration.with(type, prefix).observe(seconds);
    },
  });
  return {
    rules: created,
    asynchronous: providers.length > 0,
    providers,
    gracePeriod: 2 * timeouts,
    start: async () => void (await Promise.all(providers.map((provider) => provider.start()))),
    async check() {
      const results = await Promise.all(providers.map((provider) => provider.check()));
      const problems = results.flatMap((error, index) =>
        error === undefined ? [] : [`kms-provider-${index}: ${error.message}`],
      );
      return problems.length === 0 ? undefined : new Error(aggregate(problems));
    },
    close() {
      for (const provider of providers) provider.close();
    },
  };
}

/** gRPC's name of the status of a failed call. */
function statusOf(error: unknown): string {
  if (error === undefined) return 'OK';
  return (error as { readonly status?: string }).status ?? 'unknown-non-grpc';
}

function connectProvider(
  { name, endpoint, timeout }: KeyService,
  { module, metrics, logger, identityHash, onHealthy }: AssemblyOptions,
): KeyProvider {
  return new module.KeyProvider({
    name,
    service: module.connectKeyService({
      endpoint,
      timeout,
      observe: (method, seconds, status) =>
        metrics.keyServiceCalls.with(name, method, status).observe(seconds),
    }),
    observer: observerOf(name, identityHash, metrics),
    clock: processClock,
    onFailure: (error) => logger.warn('key service failed its health check', { name, err: error.message }),
    onHealthy,
  });
}

function observerOf(name: string, identity: string, metrics: EncryptionMetrics): KeyProviderObserver {
  const hashes = new BoundedMap<string, string>(MOST_KEY_IDS);
  const used = new KeyIdLabels((hash) => {
    metrics.keyIds.remove({ provider_name: name, key_id_hash: hash });
    metrics.keyIdTimes.remove({ provider_name: name, key_id_hash: hash });
  });
  const inStatus = new KeyIdLabels((hash) =>
    metrics.statusKeyIdTimes.remove({ provider_name: name, key_id_hash: hash }),
  );
  const hashOf = (keyId: string): string => {
    const known = hashes.get(keyId);
    if (known !== undefined) return known;
    const hash = hashLabel(keyId);
    hashes.set(keyId, hash);
    return hash;
  };
  return {
    used(type, keyId) {
      const hash = hashOf(keyId);
      used.add(hash);
      metrics.keyIds.with(type, name, hash, identity).add();
      metrics.keyIdTimes.with(type, name, hash, identity).set(processClock.now() / 1000);
    },
    cacheMissed: () => metrics.cacheMisses.with().add(),
    cacheSize: (size) => metrics.sourceCacheSize.with(name).set(size),
    statusKeyId(keyId) {
      const hash = hashOf(keyId);
      inStatus.add(hash);
      metrics.statusKeyIdTimes.with(name, hash, identity).set(processClock.now() / 1000);
    },
    invalidStatusKeyId: (code) => metrics.invalidStatusKeyIds.with(name, code).add(),
    keyGenerated: (seconds) => metrics.keyGeneration.with().observe(seconds),
  };
}

/** The ids of keys that have series; at the bound, the series of the oldest are removed. */
class KeyIdLabels {
  readonly #hashes = new Set<string>();

  constructor(private readonly remove: (hash: string) => void) {}

  add(hash: string): void {
    if (this.#hashes.has(hash)) return;
    this.#hashes.add(hash);
    if (this.#hashes.size <= MOST_KEY_IDS) return;
    const [oldest] = this.#hashes;
    this.#hashes.delete(oldest!);
    this.remove(oldest!);
  }
}
