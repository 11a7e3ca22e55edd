import { randomUUID } from 'node:crypto';
import { yamlThread } from './codec/yaml-thread.ts';
import { adoptServices } from './composition/adopt-services.ts';
import { openAudit, type ServerAudit } from './composition/audit.ts';
import { configuredAuthorizers, createAuthorization } from './composition/authorization.ts';
import { bootstrap } from './composition/bootstrap.ts';
import { certificateSigner } from './composition/certificates/signer.ts';
import { chosenControllers, runControllers } from './composition/controllers.ts';
import { observeParts } from './composition/gauges.ts';
import { createIdentity } from './composition/identity.ts';
import { openStorage, serverIdentity, startCompaction } from './composition/lifecycle.ts';
import { MeasuredStorage } from './composition/measure-storage.ts';
import { ServerOperation } from './composition/operation.ts';
import { createReaders } from './composition/readers.ts';
import { createRequestChain } from './composition/request-chain.ts';
import { createServiceAccounts } from './composition/service-accounts.ts';
import { strategyTable } from './composition/strategies.ts';
import { addressAt } from './config/addresses.ts';
import { loadTlsMaterial } from './config/certificates/serving.ts';
import { checkDocuments } from './config/documents/check.ts';
import { localUrl, writeKubeconfig } from './config/kubeconfig.ts';
import { configure, type ServerOptions } from './config/options.ts';
import { listen } from './config/port.ts';
import { KUBERNETES_MAJOR, KUBERNETES_MINOR } from './config/version.ts';
import type { Exchange, ExchangeHandler } from './connection/exchange.ts';
import { createListener } from './connection/listener.ts';
import { jsonText } from './handlers/answer.ts';
import { createLogger, stackOf } from './observability/log.ts';
import { deprecatedBefore } from './observability/metrics.ts';
import { createServerMetrics } from './observability/metrics-catalog.ts';
import { parseAddressRange } from './registry/allocation/address-range.ts';
import { ServiceAllocator } from './registry/allocation/service-allocator.ts';
import { RESOURCE_ROWS } from './registry/catalog-rows.ts';
import { Registry } from './registry/registry.ts';
import { errors } from './status/index.ts';

/** A server that accepts requests. */
export interface RunningServer {
  /** `https://host:port` as a local client reaches it. */
  readonly url: string;
  readonly address: string;
  readonly port: number;
  readonly dataDirectory: string;
  readonly kubeconfigFile: string;
  /** PEM of the authority that signed the serving certificate. */
  readonly trust: string;
  /** Handles a request without a socket. */
  readonly handle: ExchangeHandler;
  /** Drains and stops; later calls wait for the first. */
  stop(reason: string): Promise<void>;
  /** Settles when the server has ended; rejects when something made it end. */
  readonly closed: Promise<void>;
}

/** Bytes of recent events a resource keeps in memory for watches that resume. */
const EVENT_BYTES = 4 << 20;
/** Bytes of encoded objects kept for the next reader. */
const VIEW_BYTES = 64 << 20;
const DRAIN_MILLISECONDS = 8000;

/** What a server needs of the program it runs in. */
export interface ServerSurroundings {
  /** Takes the lines of the log, each with its end; the standard error unless given. */
  readonly log?: ((line: string) => void) | undefined;
}

/** Builds every part, starts it, and answers when requests are accepted. @throws ConfigurationError, DataDirectoryError in one line */
export async function startServer(options: ServerOptions, { log }: ServerSurroundings = {}): Promise<RunningServer> {
  const configuration = configure(options, RESOURCE_ROWS);
  const { values, apis } = configuration;
  const selected = chosenControllers(values.controllers, values.enableGarbageCollector);
  await checkDocuments(values);
  const authorizers = await configuredAuthorizers(configuration);
  const logger = createLogger({ format: values.loggingFormat === 'json' ? 'json' : 'text', verbosity: values.v, ...(log && { write: log }) });
  for (const warning of configuration.warnings) logger.warn(warning);
  const persist = configuration.storageBackend === 'embedded';
  let fail!: (error: Error) => void;
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined);

  // The store first: it claims the data directory before anything else is put there.
  const metrics = createServerMetrics(
    values.showHiddenMetricsForVersion === '' ? deprecatedBefore(Number(KUBERNETES_MAJOR), Number(KUBERNETES_MINOR)) : undefined,
  );
  const storage = new MeasuredStorage(await openStorage(configuration, fail), metrics);
  let closeListener = async (): Promise<void> => undefined;
  let stopAuthorization = (): void => undefined;
  let stopIdentity = (): void => undefined;
  let audit: ServerAudit | undefined;
  try {
    const tls = loadTlsMaterial({
      configuration,
      now: new Date(),
      persist: persist || configuration.given.has('certDir'),
      warn: (message) => logger.warn(message),
    });
    const signer = certificateSigner(values, tls.own.authority);
    const random = Math.random;
    const allocator = new ServiceAllocator({
      addressRanges: configuration.serviceRanges.map(({ text }) => parseAddressRange(text)!),
      nodePorts: values.serviceNodePortRange,
      random,
    });
    const identityParts = { escalation: undefined as Awaited<ReturnType<typeof createIdentity>>['escalation'] };
    const registry = new Registry({
      storage,
      isServed: ({ group, version, resource }) => apis.isEnabled(group, version, resource),
      strategies: strategyTable({ allocator, eventSeconds: Math.round(values.eventTtl / 1000), escalation: () => identityParts.escalation }),
      eventBytes: values.watchCache ? EVENT_BYTES : 0,
      viewBytes: VIEW_BYTES,
    });
    const readers = createReaders(registry);
    await readers.roles.ready();
    const [range] = configuration.serviceRanges;
    const listenerHolder: { handler: ExchangeHandler } = { handler: refuseUntilReady };
    const listener = createListener({
      key: tls.serving.key,
      cert: tls.serving.certificate,
      handler: (exchange) => listenerHolder.handler(exchange),
      onHandlerError: (error) => logger.error('request failed outside of the chain', { err: stackOf(error) }),
      sniCertificates: tls.named.map(({ names, certificate, key }) => ({ names, cert: certificate, key })),
      http2: !values.disableHttp2Serving,
      goawayChance: values.goawayChance,
      ...(values.http2MaxStreamsPerConnection > 0 ? { http2MaxStreams: values.http2MaxStreamsPerConnection } : {}),
      tlsMinVersion: values.tlsMinVersion,
      tlsCipherSuites: values.tlsCipherSuites,
    });
    closeListener = () => listener.close();
    const port = await listen(listener, { address: values.bindAddress, port: values.securePort, asked: configuration.given.has('securePort') });
    const url = localUrl(values.bindAddress, port);

    const serviceAccounts = createServiceAccounts(
      configuration,
      readers.tokens,
      persist,
      randomUUID,
      `https://${configuration.advertiseAddress}:${port}/openid/v1/jwks`,
      metrics,
    );
    const authorization = await createAuthorization({ configuration, authorizers, roles: readers.roles, registry, metrics, logger });
    stopAuthorization = () => authorization.stop();
    const identity = await createIdentity({
      configuration,
      tls,
      authorization,
      serviceAccounts: serviceAccounts.authenticator,
      reader: readers.tokens,
      metrics,
      logger,
    });
    stopIdentity = () => identity.stop();
    identityParts.escalation = identity.escalation;
    const lifecycle = { draining: false };
    const operation = new ServerOperation({
      metrics,
      storage,
      lifecycle,
      logger,
      livezGracePeriod: values.livezGracePeriod,
      profiling: values.profiling,
      priorityAndFairness: values.enablePriorityAndFairness,
    });
    const replaced = await bootstrap({
      registry,
      now: Date.now(),
      uid: randomUUID,
      rbac: authorization.escalation !== undefined,
      authenticationData: identity.authenticationData(),
      service: { clusterIP: addressAt(range!, 1), family: range!.family === 4 ? 'IPv4' : 'IPv6', advertiseAddress: configuration.advertiseAddress, port },
      publishEndpoints: values.endpointReconcilerType !== 'none',
      identity: serverIdentity(configuration),
    });
    for (const key of replaced) logger.warn('an object of the server itself could not be read and was made anew', { key });
    operation.bootstrapped([...registry.stored].map(({ cache }) => cache));
    observeParts({ metrics, configuration, registry, storage, listener });
    await adoptServices(registry, (services) => allocator.adopt(services), logger);
    operation.finish('services');

    audit = await openAudit(values, metrics, logger);
    const chain = await createRequestChain({
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
    });
    operation.finish('chain');
    listenerHolder.handler = chain.handle;
    if (persist || configuration.given.has('kubeconfigOut'))
      writeKubeconfig(configuration.kubeconfigFile, { server: url, trust: tls.trust, client: tls.own.admin });
    const stopCompaction = startCompaction(storage, values.etcdCompactionInterval, logger);
    const controllers = runControllers({
      ...chain,
      selected,
      registry,
      storage,
      trust: tls.trust,
      signer,
      signAccountToken: serviceAccounts.signAccountToken,
      authenticationData: { current: identity.authenticationData, onChange: identity.onAuthoritiesChange },
      logger,
      metrics,
    });
    operation.finish('loops');
    // Selected controllers are clients: whoever waits for the server isn't kept waiting for them.
    const controllersStart = setImmediate(() => controllers.startSelected());

    let stopping: Promise<void> | undefined;
    let ended!: () => void;
    const closed = Promise.race([
      failed,
      new Promise<void>((resolve) => {
        ended = resolve;
      }),
    ]);
    const stop = (reason: string): Promise<void> => {
      stopping ??= (async () => {
        logger.info('stopping', { reason });
        lifecycle.draining = true;
        if (values.shutdownDelayDuration > 0) await new Promise((resolve) => setTimeout(resolve, values.shutdownDelayDuration));
        clearImmediate(controllersStart);
        const controllersStopped = controllers.stop();
        const drained = listener.drain(DRAIN_MILLISECONDS);
        for (const stored of registry.stored) stored.cache.endWatches();
        await drained;
        await listener.close();
        await yamlThread.stop();
        await controllersStopped;
        chain.stop();
        stopIdentity();
        stopAuthorization();
        await audit?.close();
        stopCompaction();
        registry.close();
        await storage.close();
      })().finally(ended);
      return stopping;
    };
    closed.catch(() => undefined);
    return {
      url,
      port,
      stop,
      closed,
      address: values.bindAddress,
      dataDirectory: values.dataDir,
      kubeconfigFile: configuration.kubeconfigFile,
      trust: tls.trust,
      handle: chain.handle,
    };
  } catch (error) {
    stopAuthorization();
    stopIdentity();
    await closeListener();
    await audit?.close();
    await storage.close();
    throw error;
  }
}

/** The port is open before the store holds what every server has: clients are told to come again. */
function refuseUntilReady(exchange: Exchange): void {
  exchange.setHeader('retry-after', '1');
  exchange.respond(503, 'application/json', `${jsonText(errors.serviceUnavailable('the server is starting; try again in a second').toStatus())}\n`);
}
