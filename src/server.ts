import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { yamlThread } from './codec/yaml-thread.ts';
import { type AdmissionSettings, readAdmissionSettings } from './composition/admission-configuration.ts';
import { aggregate, runAggregationLoops } from './composition/aggregation.ts';
import { openAudit } from './composition/audit.ts';
import {
  type Authorization,
  createAuthorization,
  readAuthorizerConfiguration,
} from './composition/authorization.ts';
import { bootstrapCluster } from './composition/bootstrap-cluster.ts';
import { certificateSigner } from './composition/certificate-signer.ts';
import { runControllers, selectedControllers } from './composition/controllers.ts';
import { serveCustomResources } from './composition/custom-resources.ts';
import { createDebugEndpoints, profilingPaths } from './composition/debug-endpoints.ts';
import { openDebugSocket } from './composition/debug-socket.ts';
import { runDefinitionLoops } from './composition/definition-loops.ts';
import { drainRequests } from './composition/drain.ts';
import { createEgress } from './composition/egress.ts';
import { encryptStorage, type ReadEncryption, readEncryption } from './composition/encryption.ts';
import { createIdentity } from './composition/identity.ts';
import { removeSeriesOfKinds } from './composition/instrumentation.ts';
import { openLog } from './composition/logging.ts';
import { openMetrics } from './composition/metrics-options.ts';
import { openStorage, serverIdentity, startCompaction } from './composition/open-storage.ts';
import { createOutbound } from './composition/outbound.ts';
import { Parts } from './composition/parts.ts';
import { createRegistry, createServiceAllocator } from './composition/registry.ts';
import { createRequestChain } from './composition/request-chain.ts';
import { RequestGate } from './composition/request-gate.ts';
import { registerServerGauges } from './composition/server-gauges.ts';
import { ServerHealth } from './composition/server-health.ts';
import { runServerLoops } from './composition/server-loops.ts';
import { ServerTermination } from './composition/server-termination.ts';
import { createServiceAccounts } from './composition/service-accounts.ts';
import { startListener } from './composition/start-listener.ts';
import { openTracing } from './composition/tracing.ts';
import { waitForStorage } from './composition/wait-for-storage.ts';
import type { ExchangeHandler } from './connection/exchange.ts';
import { kubeconfigText, writeKubeconfig } from './kubeconfig/write-kubeconfig.ts';
import { createListers } from './listers/listers.ts';
import type { Logger, LogVerbosity } from './observability/log.ts';
import { observeRuntime } from './observability/metrics-runtime.ts';
import type { ConfiguredAuthorizer } from './options/documents/authorization.ts';
import { checkDocuments } from './options/documents/check.ts';
import type { OptionSlice } from './options/flags/table.ts';
import { type Configuration, configure, type ServerOptions } from './options/options.ts';
import { loadTlsMaterial } from './pki/serving-certificates.ts';
import { ProcessProfiler } from './profiling/profiler.ts';
import { builtinResources } from './registry/builtin-resources.ts';
import { storageTypeOf } from './registry/storage-type.ts';
import { ServiceRanges } from './replicas/service-ranges.ts';
import { LoopScheduler } from './request/scheduling/loop-scheduler.ts';
import { MeasuredStorage } from './storage/measured-storage.ts';
import { systemClock } from './time/clock.ts';

/** A running server. */
export interface RunningServer {
  /** `https://host:port` for local clients. */
  readonly url: string;
  readonly address: string;
  readonly port: number;
  /** Undefined for storage in memory. */
  readonly dataDirectory: string | undefined;
  /**
   * Path of the administrator's kubeconfig; undefined if none was written: in memory without `kubeconfigOut`.
   */
  readonly kubeconfigFile: string | undefined;
  /** Content of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** PEM of the CA that signed the serving certificate. */
  readonly caBundle: string;
  /** Handles a request without a socket. */
  readonly handle: ExchangeHandler;
  /** Drains and stops; later calls wait for the first one. The reason is logged. */
  stop(reason?: string): Promise<void>;
  /** Lets the process exit while the server runs, like `unref` of a `net.Server`. */
  unref(): void;
  /** Resolves when the server has stopped; rejects if an error stopped it. */
  readonly closed: Promise<void>;
}

/** The options that the server reads itself. */
type LifecycleOptions = OptionSlice<
  | 'bindAddress'
  | 'controllers'
  | 'dataDir'
  | 'enableGarbageCollector'
  | 'enablePriorityAndFairness'
  | 'etcdCompactionInterval'
  | 'contentionProfiling'
  | 'debugSocketPath'
  | 'livezGracePeriod'
  | 'profiling'
  | 'shutdownDelayDuration'
  | 'shutdownSendRetryAfter'
  | 'shutdownWatchTerminationGracePeriod'
>;

/** Time to export the remaining spans at shutdown. */
const TRACING_CLOSE_MILLISECONDS = 1000;

/** The interface of a server to the program that runs it. */
export interface ServerEnvironment {
  /**
   * Receives each log line with its line feed; the default is the standard error. `--logging-format` and
   * `--v` control format and level. Must not throw.
   */
  readonly log?: ((line: string) => void) | undefined;
}

/**
 * Starts all parts of a server in order; resolves once requests are accepted. If a part fails to start, the
 * previous ones are stopped.
 * @throws ConfigurationError, DataDirectoryError in one line
 */
export async function startServer(
  options: ServerOptions,
  { log }: ServerEnvironment = {},
): Promise<RunningServer> {
  const configuration = configure(
    options,
    builtinResources(() => true),
  );
  const values: LifecycleOptions = configuration.values;
  const selected = selectedControllers(values.controllers, values.enableGarbageCollector);
  await checkDocuments(configuration.values);
  const authorizers = await readAuthorizerConfiguration(configuration);
  const admission = await readAdmissionSettings(configuration);
  const encryption = await readEncryption(configuration);
  const serverLog = openLog(configuration.values, log);
  const { logger } = serverLog;
  for (const warning of configuration.warnings) logger.warn(warning);

  const parts = new Parts(logger);
  const termination = new ServerTermination();
  const lifecycle = { draining: false, rejecting: false };
  try {
    const running = await startParts({
      configuration,
      selected,
      authorizers,
      admission,
      encryption,
      logger,
      parts,
      termination,
      lifecycle,
      verbosity: serverLog.verbosity,
    });
    return {
      ...running,
      closed: termination.closed,
      stop: (reason = 'requested') => termination.stop(() => stopServer(reason)),
    };
  } catch (error) {
    await parts.stop();
    serverLog.close();
    throw error;
  }

  async function stopServer(reason: string): Promise<void> {
    logger.info('stopping', { reason });
    lifecycle.draining = true;
    if (values.shutdownDelayDuration > 0) await setTimeout(values.shutdownDelayDuration);
    await parts.stop();
    serverLog.close();
  }
}

interface StartOptions {
  readonly configuration: Configuration;
  readonly selected: ReadonlySet<string>;
  readonly authorizers: readonly ConfiguredAuthorizer[];
  readonly admission: AdmissionSettings;
  readonly encryption: ReadEncryption | undefined;
  readonly logger: Logger;
  readonly parts: Parts;
  readonly termination: ServerTermination;
  /** `rejecting` is set when requests are no longer accepted. */
  readonly lifecycle: { readonly draining: boolean; rejecting: boolean };
  readonly verbosity: LogVerbosity;
}

/** Starts the parts in this order; they stop in reverse order. */
async function startParts(start: StartOptions): Promise<Omit<RunningServer, 'stop' | 'closed'>> {
  const { configuration, selected, authorizers, admission, logger, parts, termination, lifecycle } = start;
  const values: LifecycleOptions = configuration.values;
  const persist = configuration.storageBackend !== 'memory';
  const metrics = openMetrics(configuration.values);

  // Storage first: it locks the data directory before anything else is written there.
  const measured = await parts.use(
    'storage',
    async () =>
      new MeasuredStorage(
        await openStorage(configuration, logger, metrics, (error) => termination.fail(error)),
        metrics,
        storageTypeOf,
      ),
    (started) => started.close(),
  );
  const encrypted = await parts.use(
    'encryption',
    () => encryptStorage({ configuration, encryption: start.encryption, storage: measured, metrics, logger }),
    (started) => started.stop(),
  );
  const { storage } = encrypted;
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
  const gate = new RequestGate();
  const { listener, port, url } = await parts.use(
    'listener',
    () => startListener(configuration, tls, gate.handle, logger),
    (started) => started.listener.close(),
  );
  await waitForStorage(storage, gate, logger);
  await encrypted.waitForKeys(gate);
  const signer = certificateSigner(configuration.values, tls.generated.authority);
  const allocator = createServiceAllocator(configuration, measured);
  let authorization: Authorization | undefined;
  const registry = await parts.use(
    'registry',
    () => createRegistry({ configuration, storage, allocator, escalation: () => authorization?.escalation }),
    (started) => started.close(),
  );
  const listers = createListers(registry);
  await listers.roles.ready();

  const egress = await createEgress(configuration.values, metrics);
  const serviceAccounts = createServiceAccounts(
    configuration,
    listers.tokens,
    persist,
    randomUUID,
    `https://${configuration.advertiseAddress}:${port}/openid/v1/jwks`,
    metrics,
  );
  authorization = await parts.use(
    'authorization',
    () =>
      createAuthorization({
        configuration,
        authorizers,
        roles: listers.roles,
        registry,
        egress,
        metrics,
        logger,
      }),
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
        reader: listers.tokens,
        egress,
        metrics,
        logger,
      }),
    (started) => started.stop(),
  );

  const health = new ServerHealth({
    metrics,
    storage,
    lifecycle,
    logger,
    livezGracePeriod: values.livezGracePeriod,
    profiling: values.profiling,
    priorityAndFairness: values.enablePriorityAndFairness,
  });
  const shared = measured.immediate === undefined;
  const server = serverIdentity(configuration);
  const bootstrapped = await parts.use(
    'bootstrap objects',
    () =>
      bootstrapCluster({
        configuration,
        registry,
        authorization: authorization!,
        identity,
        server,
        port,
        shared,
        logger,
      }),
    (started) => started.stop(),
  );
  health.add(...encrypted.checks, ...(bootstrapped.check === undefined ? [] : [bootstrapped.check]));
  health.markBootstrapped([...registry.stored].map(({ cache }) => cache));
  removeSeriesOfKinds(registry.resources, metrics, measured);
  await parts.use(
    'runtime metrics',
    () => observeRuntime(metrics.registry),
    (stop) => stop(),
  );
  registerServerGauges({ metrics, configuration, registry, storage, listener });
  const serviceRanges = new ServiceRanges({ registry, allocator, clock: systemClock, logger });
  await serviceRanges.repair();
  health.finish('services');
  const outbound = await parts.use(
    'outbound connections',
    () => createOutbound({ configuration, registry, egress, port }),
    (started) => started.client.close(),
  );
  const customResources = await parts.use(
    'custom resources',
    () => serveCustomResources({ registry, outbound, metrics, logger }),
    (started) => started.stop(),
  );
  const aggregation = await parts.use(
    'aggregation',
    () => aggregate({ configuration, registry, outbound, tls, logger }),
    (started) => started.stop(),
  );

  const audit = await parts.use(
    'audit',
    () => openAudit(configuration.values, egress, metrics, logger),
    (started) => started?.close(),
  );
  const profiler = await parts.use(
    'profiler',
    () => new ProcessProfiler(systemClock, values.contentionProfiling),
    (started) => started.stop(),
  );
  const debug = createDebugEndpoints({ configuration, profiler, verbosity: start.verbosity });
  const tracer = await parts.use(
    'tracing',
    () => openTracing(configuration, egress, logger),
    (started) => started?.close(TRACING_CLOSE_MILLISECONDS),
  );
  const loop = new LoopScheduler();
  const chain = await parts.use(
    'request chain',
    () =>
      createRequestChain({
        configuration,
        registry,
        listers,
        storage,
        metrics,
        logger,
        health,
        identity,
        serviceAccounts,
        admission,
        aggregation,
        customResources,
        outbound,
        port,
        debug,
        lifecycle,
        tracer,
        loop,
        auditor: audit?.auditor,
      }),
    (started) => started.stop(),
  );
  await parts.use(
    'debug socket',
    () =>
      values.debugSocketPath === ''
        ? undefined
        : openDebugSocket(values.debugSocketPath, profilingPaths(profiler, start.verbosity), chain.turns),
    (started) => started?.close(),
  );
  health.finish('chain');
  await parts.use(
    'serving',
    () => gate.open(chain.handle),
    async () => {
      lifecycle.rejecting = true;
      await drainRequests({
        listener,
        registry,
        watchGrace: values.shutdownWatchTerminationGracePeriod,
        keepsListening: values.shutdownSendRetryAfter,
      });
    },
  );
  const kubeconfig = { server: url, caBundle: tls.caBundle, client: tls.generated.admin };
  const kubeconfigFile =
    persist || configuration.given.has('kubeconfigOut') ? configuration.kubeconfigFile : undefined;
  if (kubeconfigFile !== undefined) writeKubeconfig(kubeconfigFile, kubeconfig);
  await parts.use(
    'compaction',
    () => startCompaction(storage, values.etcdCompactionInterval, logger),
    (stop) => stop(),
  );
  await parts.use(
    'definition loops',
    () => runDefinitionLoops({ ...chain, registry, storage, metrics, logger }),
    (started) => started.stop(),
  );
  runAggregationLoops(aggregation, { ...chain, metrics, logger });
  const controllers = await parts.use(
    'controllers',
    () =>
      runControllers({
        ...chain,
        selected,
        registry,
        storage,
        aggregation,
        caBundle: tls.caBundle,
        signer,
        signAccountToken: serviceAccounts.signAccountToken,
        authenticationData: { current: identity.authenticationData, onChange: identity.onCaBundleChange },
        logger,
        metrics,
      }),
    (started) => started.stop(),
  );
  // Controllers and loops are clients: the start of the server does not wait for them.
  await parts.use(
    'server loops',
    () =>
      runServerLoops({
        ...chain,
        configuration,
        metrics,
        storage,
        shared,
        identity: server,
        serviceRanges,
        controllers: selected.size === 0 ? undefined : controllers,
        port,
        logger,
      }),
    (started) => started.stop(),
  );
  health.finish('loops');

  return {
    url,
    port,
    address: values.bindAddress,
    dataDirectory: persist ? values.dataDir : undefined,
    kubeconfigFile,
    kubeconfig: kubeconfigText(kubeconfig),
    caBundle: tls.caBundle,
    handle: chain.handle,
    unref: () => listener.unref(),
  };
}
