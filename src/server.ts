import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { restoreServiceAllocations } from './bootstrap/restore-service-allocations.ts';
import { yamlThread } from './codec/yaml-thread.ts';
import { openAudit } from './composition/audit.ts';
import {
  type Authorization,
  createAuthorization,
  readAuthorizerConfiguration,
} from './composition/authorization.ts';
import { bootstrapCluster } from './composition/bootstrap-cluster.ts';
import { certificateSigner } from './composition/certificate-signer.ts';
import { runControllers, selectedControllers } from './composition/controllers.ts';
import { createIdentity } from './composition/identity.ts';
import { openStorage, startCompaction } from './composition/open-storage.ts';
import { Parts } from './composition/parts.ts';
import { createRegistry, createServiceAllocator } from './composition/registry.ts';
import { createRequestChain } from './composition/request-chain.ts';
import { RequestGate } from './composition/request-gate.ts';
import { ServerEnd } from './composition/server-end.ts';
import { registerServerGauges } from './composition/server-gauges.ts';
import { ServerHealth } from './composition/server-health.ts';
import { createServiceAccounts } from './composition/service-accounts.ts';
import { startListener } from './composition/start-listener.ts';
import type { ExchangeHandler } from './connection/exchange.ts';
import { kubeconfigText, writeKubeconfig } from './kubeconfig/write-kubeconfig.ts';
import { createListers } from './listers/listers.ts';
import { createLogger, type Logger } from './observability/log.ts';
import { deprecatedBefore } from './observability/metrics.ts';
import { createServerMetrics } from './observability/metrics-catalog.ts';
import type { ConfiguredAuthorizer } from './options/documents/authorization.ts';
import { checkDocuments } from './options/documents/check.ts';
import { type Configuration, configure, type ServerOptions } from './options/options.ts';
import { KUBERNETES_MAJOR, KUBERNETES_MINOR } from './options/version.ts';
import { loadTlsMaterial } from './pki/serving-certificates.ts';
import { BUILTIN_RESOURCES } from './registry/builtin-resources.ts';
import { storageTypeOf } from './registry/storage-type.ts';
import { MeasuredStorage } from './storage/measured-storage.ts';

/** A server that accepts requests. */
export interface RunningServer {
  /** `https://host:port` as a local client reaches it. */
  readonly url: string;
  readonly address: string;
  readonly port: number;
  /** Undefined when objects are kept in memory. */
  readonly dataDirectory: string | undefined;
  /**
   * Path of the administrator's kubeconfig; undefined when none was written: in memory without
   * `kubeconfigOut`.
   */
  readonly kubeconfigFile: string | undefined;
  /** Text of the administrator's kubeconfig, whether or not it was written. */
  readonly kubeconfig: string;
  /** PEM of the authority that signed the serving certificate. */
  readonly trust: string;
  /** Handles a request without a socket. */
  readonly handle: ExchangeHandler;
  /** Drains and stops; later calls wait for the first. The reason goes to the log. */
  stop(reason?: string): Promise<void>;
  /** Lets the process exit while the server runs, as `unref` of a `net.Server` does. */
  unref(): void;
  /** Settles when the server has ended; rejects when something made it end. */
  readonly closed: Promise<void>;
}

/** Time that open requests have to finish when the server stops. */
const DRAIN_MILLISECONDS = 8000;

/** What a server uses of the program it runs in. */
export interface ServerSurroundings {
  /**
   * Receives the log, one line a call, each with its line feed; by default lines go to the standard error.
   * The lines have the format of `--logging-format` and the detail of `--v`. The function must not throw.
   */
  readonly log?: ((line: string) => void) | undefined;
}

/**
 * Starts every part of a server, in order, and resolves once requests are accepted. When a part fails to
 * start, those before it are stopped.
 * @throws ConfigurationError, DataDirectoryError in one line
 */
export async function startServer(
  options: ServerOptions,
  { log }: ServerSurroundings = {},
): Promise<RunningServer> {
  const configuration = configure(options, BUILTIN_RESOURCES);
  const { values } = configuration;
  const selected = selectedControllers(values.controllers, values.enableGarbageCollector);
  await checkDocuments(values);
  const authorizers = await readAuthorizerConfiguration(configuration);
  const logger = createLogger({
    format: values.loggingFormat === 'json' ? 'json' : 'text',
    verbosity: values.v,
    ...(log && { write: log }),
  });
  for (const warning of configuration.warnings) logger.warn(warning);

  const parts = new Parts(logger);
  const end = new ServerEnd();
  const lifecycle = { draining: false };
  try {
    const running = await startParts({ configuration, selected, authorizers, logger, parts, end, lifecycle });
    return {
      ...running,
      closed: end.closed,
      stop: (reason = 'requested') => end.stop(() => stopServer(reason)),
    };
  } catch (error) {
    await parts.stop();
    throw error;
  }

  async function stopServer(reason: string): Promise<void> {
    logger.info('stopping', { reason });
    lifecycle.draining = true;
    if (values.shutdownDelayDuration > 0) await setTimeout(values.shutdownDelayDuration);
    await parts.stop();
  }
}

interface StartOptions {
  readonly configuration: Configuration;
  readonly selected: ReadonlySet<string>;
  readonly authorizers: readonly ConfiguredAuthorizer[];
  readonly logger: Logger;
  readonly parts: Parts;
  readonly end: ServerEnd;
  readonly lifecycle: { readonly draining: boolean };
}

/** THE list of parts, in the order in which they start; they stop in reverse order. */
async function startParts(start: StartOptions): Promise<Omit<RunningServer, 'stop' | 'closed'>> {
  const { configuration, selected, authorizers, logger, parts, end, lifecycle } = start;
  const { values } = configuration;
  const persist = configuration.storageBackend === 'embedded';
  const metrics = createServerMetrics(hiddenMetrics(configuration));

  // The store first: it claims the data directory before anything else is put there.
  const storage = await parts.use(
    'storage',
    async () =>
      new MeasuredStorage(
        await openStorage(configuration, (error) => end.fail(error)),
        metrics,
        storageTypeOf,
      ),
    (started) => started.close(),
  );
  await parts.use(
    'YAML thread',
    () => yamlThread,
    (started) => started.stop(),
  );
  const tls = loadTlsMaterial({
    configuration,
    now: new Date(),
    persist: persist || configuration.given.has('certDir'),
    warn: (message) => logger.warn(message),
  });
  const signer = certificateSigner(values, tls.generated.authority);
  const allocator = createServiceAllocator(configuration);
  let authorization: Authorization | undefined;
  const registry = await parts.use(
    'registry',
    () => createRegistry({ configuration, storage, allocator, escalation: () => authorization?.escalation }),
    (started) => started.close(),
  );
  const readers = createListers(registry);
  await readers.roles.ready();

  const gate = new RequestGate();
  const { listener, port, url } = await parts.use(
    'listener',
    () => startListener(configuration, tls, gate.handle, logger),
    (started) => started.listener.close(),
  );
  const serviceAccounts = createServiceAccounts(
    configuration,
    readers.tokens,
    persist,
    randomUUID,
    `https://${configuration.advertiseAddress}:${port}/openid/v1/jwks`,
    metrics,
  );
  authorization = await parts.use(
    'authorization',
    () =>
      createAuthorization({ configuration, authorizers, roles: readers.roles, registry, metrics, logger }),
    (started) => started.stop(),
  );
  const identity = await parts.use(
    'authentication',
    () =>
      createIdentity({
        configuration,
        tls,
        authorization: authorization!,
        serviceAccounts: serviceAccounts.authenticator,
        reader: readers.tokens,
        metrics,
        logger,
      }),
    (started) => started.stop(),
  );

  const operation = new ServerHealth({
    metrics,
    storage,
    lifecycle,
    logger,
    livezGracePeriod: values.livezGracePeriod,
    profiling: values.profiling,
    priorityAndFairness: values.enablePriorityAndFairness,
  });
  await bootstrapCluster({ configuration, registry, authorization, identity, port, logger });
  operation.markBootstrapped([...registry.stored].map(({ cache }) => cache));
  registerServerGauges({ metrics, configuration, registry, storage, listener });
  await restoreServiceAllocations(registry, (services) => allocator.restore(services), logger);
  operation.finish('services');

  const audit = await parts.use(
    'audit',
    () => openAudit(values, metrics, logger),
    (started) => started?.close(),
  );
  const chain = await parts.use(
    'request chain',
    () =>
      createRequestChain({
        configuration,
        registry,
        readers,
        storage,
        metrics,
        logger,
        operation,
        identity,
        serviceAccounts,
        port,
        auditor: audit?.auditor,
      }),
    (started) => started.stop(),
  );
  operation.finish('chain');
  await parts.use(
    'serving',
    () => gate.open(chain.handle),
    async () => {
      const drained = listener.drain(DRAIN_MILLISECONDS);
      for (const stored of registry.stored) stored.cache.endWatches();
      await drained;
    },
  );
  const kubeconfig = { server: url, trust: tls.caBundle, client: tls.generated.admin };
  const kubeconfigFile =
    persist || configuration.given.has('kubeconfigOut') ? configuration.kubeconfigFile : undefined;
  if (kubeconfigFile !== undefined) writeKubeconfig(kubeconfigFile, kubeconfig);
  await parts.use(
    'compaction',
    () => startCompaction(storage, values.etcdCompactionInterval, logger),
    (stop) => stop(),
  );
  const controllers = await parts.use(
    'controllers',
    () =>
      runControllers({
        ...chain,
        selected,
        registry,
        storage,
        trust: tls.caBundle,
        signer,
        signAccountToken: serviceAccounts.signAccountToken,
        authenticationData: { current: identity.authenticationData, onChange: identity.onAuthoritiesChange },
        logger,
        metrics,
      }),
    (started) => started.stop(),
  );
  operation.finish('loops');
  // Selected controllers are clients: the start of the server does not wait for them.
  await parts.use(
    'selected controllers',
    () => setImmediate(() => controllers.startSelected()),
    clearImmediate,
  );

  return {
    url,
    port,
    address: values.bindAddress,
    dataDirectory: persist ? values.dataDir : undefined,
    kubeconfigFile,
    kubeconfig: kubeconfigText(kubeconfig),
    trust: tls.caBundle,
    handle: chain.handle,
    unref: () => listener.unref(),
  };
}

/** Hides metrics that earlier releases deprecated, unless `--show-hidden-metrics-for-version` shows them. */
function hiddenMetrics({ values }: Configuration): ReturnType<typeof deprecatedBefore> | undefined {
  if (values.showHiddenMetricsForVersion !== '') return undefined;
  return deprecatedBefore(Number(KUBERNETES_MAJOR), Number(KUBERNETES_MINOR));
}
