import { randomUUID } from 'node:crypto';
import { createAdmissionChain } from './admission/chain.ts';
import { absentPlugins, builtinPlugins } from './admission/plugins/index.ts';
import { adoptServices } from './composition/adopt-services.ts';
import { bootstrap } from './composition/bootstrap.ts';
import { chosenControllers, runControllers } from './composition/controllers.ts';
import { flowSource } from './composition/flow-source.ts';
import { observeParts } from './composition/gauges.ts';
import { createIdentity } from './composition/identity.ts';
import { openStorage, serverIdentity, startCompaction } from './composition/lifecycle.ts';
import { measureAuthentication, measureAuthorizer, measurePlugin, measureWatches } from './composition/measure.ts';
import { MeasuredStorage } from './composition/measure-storage.ts';
import { ServerOperation } from './composition/operation.ts';
import { createPaths } from './composition/paths-table.ts';
import { createReaders, forwardedGroups } from './composition/readers.ts';
import { createServiceAccounts } from './composition/service-accounts.ts';
import { strategyTable } from './composition/strategies.ts';
import { subresourceHandlers } from './composition/subresources.ts';
import { virtualResources } from './composition/virtual.ts';
import { addressAt } from './config/addresses.ts';
import { loadTlsMaterial } from './config/certificates/serving.ts';
import { localUrl, writeKubeconfig } from './config/kubeconfig.ts';
import { configure, type ServerOptions } from './config/options.ts';
import { listen } from './config/port.ts';
import type { Exchange, ExchangeHandler } from './connection/exchange.ts';
import { createListener } from './connection/listener.ts';
import type { RunningControllers } from './controllers/manager.ts';
import { authenticationFilter } from './filters/authentication.ts';
import { authorizationFilter } from './filters/authorization.ts';
import { composeFilters } from './filters/chain.ts';
import { deadlineFilter } from './filters/deadline.ts';
import { errorFilter } from './filters/errors.ts';
import { impersonationFilter } from './filters/impersonation.ts';
import { metricsFilter } from './filters/metrics.ts';
import { priorityFilter } from './filters/priority.ts';
import { requestLogFilter } from './filters/request-log.ts';
import { InFlight, trackingFilter } from './filters/tracking.ts';
import { jsonText } from './handlers/answer.ts';
import type { HandlerEnvironment } from './handlers/environment.ts';
import { createRouter } from './handlers/router.ts';
import { createLogger, type Logger } from './observability/log.ts';
import { createServerMetrics } from './observability/metrics-catalog.ts';
import { type OperationEnvironment, randomSuffix } from './operations/environment.ts';
import { fieldOwnership } from './operations/ownership.ts';
import { parseAddressRange } from './registry/allocation/address-range.ts';
import { ServiceAllocator } from './registry/allocation/service-allocator.ts';
import { RESOURCE_ROWS } from './registry/catalog-rows.ts';
import { Registry } from './registry/registry.ts';
import type { AnswerSettings, Handler } from './request/context.ts';
import { createContext } from './request/create-context.ts';
import type { UserInfo } from './request/user.ts';
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
const MAXIMUM_BODY_BYTES = 3 * 1024 * 1024;
const FUTURE_REVISION_WAIT = 3000;
const BOOKMARK_INTERVAL = 60_000;
const DRAIN_MILLISECONDS = 8000;

/** What a server needs of the program it runs in. */
export interface ServerSurroundings {
  /** Takes the lines of the log, each with its end; the standard error unless given. */
  readonly log?: ((line: string) => void) | undefined;
}

/** Builds every part, starts it, and answers when requests are accepted. @throws ConfigurationError, DataDirectoryError in one line */
export async function startServer(options: ServerOptions, { log }: ServerSurroundings = {}): Promise<RunningServer> {
  const configuration = configure(options, RESOURCE_ROWS);
  const { values, gates, apis } = configuration;
  const selected = chosenControllers(values.controllers);
  const logger = createLogger({ format: values.loggingFormat === 'json' ? 'json' : 'text', verbosity: values.v, ...(log && { write: log }) });
  for (const warning of configuration.warnings) logger.warn(warning);
  const persist = configuration.storageBackend === 'embedded';
  let fail!: (error: Error) => void;
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined);

  // The store first: it claims the data directory before anything else is put there.
  const metrics = createServerMetrics();
  const storage = new MeasuredStorage(await openStorage(configuration, fail), metrics);
  let closeListener = async (): Promise<void> => undefined;
  try {
    const tls = loadTlsMaterial({ configuration, now: new Date(), persist, warn: (message) => logger.warn(message) });
    const random = Math.random;
    const allocator = new ServiceAllocator({
      addressRanges: configuration.serviceRanges.map(({ text }) => parseAddressRange(text)!),
      nodePorts: values.serviceNodePortRange,
      random,
    });
    const identityParts = { escalation: undefined as ReturnType<typeof createIdentity>['escalation'] };
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
    );
    const identity = createIdentity({
      configuration,
      tls,
      roles: readers.roles,
      serviceAccounts: serviceAccounts.authenticator,
      logger,
      instrument: (mode, authorizer) => measureAuthorizer(mode, authorizer, metrics),
    });
    identityParts.escalation = identity.escalation;
    const plugins = builtinPlugins(configuration.admissionPlugins, {
      ...readers.admission,
      nameSuffix: () => randomSuffix(random),
      authorizer: identity.authorizer,
      tolerationSeconds: { notReady: values.defaultNotReadyTolerationSeconds, unreachable: values.defaultUnreachableTolerationSeconds },
    });
    const absent = absentPlugins([...values.enableAdmissionPlugins, ...values.admissionControl], plugins);
    if (absent.length > 0) logger.warn('admission plugins that were asked for do not exist in this version and have no effect', { plugins: absent.join(',') });
    const admission = createAdmissionChain(plugins.map((plugin) => measurePlugin(plugin, metrics)));
    const lifecycle = { draining: false };
    const operation = new ServerOperation({
      metrics,
      storage,
      lifecycle,
      logger,
      livezGracePeriod: values.livezGracePeriod,
      profiling: values.profiling,
    });
    const replaced = await bootstrap({
      registry,
      now: Date.now(),
      uid: randomUUID,
      rbac: configuration.authorizationModes.includes('RBAC'),
      authenticationData: identity.authenticationData,
      service: { clusterIP: addressAt(range!, 1), family: range!.family === 4 ? 'IPv4' : 'IPv6', advertiseAddress: configuration.advertiseAddress, port },
      identity: serverIdentity(configuration),
    });
    for (const key of replaced) logger.warn('an object of the server itself could not be read and was made anew', { key });
    operation.bootstrapped([...registry.stored].map(({ cache }) => cache));
    observeParts({ metrics, configuration, registry, storage, listener });
    await adoptServices(registry, (services) => allocator.adopt(services), logger);

    const operations: OperationEnvironment = {
      admission,
      ownership: fieldOwnership,
      now: Date.now,
      uid: randomUUID,
      nameSuffix: () => randomSuffix(random),
      futureRevisionWait: FUTURE_REVISION_WAIT,
      allowPrivileged: values.allowPrivileged,
    };
    const environment: HandlerEnvironment = {
      registry,
      operations,
      authorize: (attributes) => identity.authorizer.authorize(attributes),
      now: Date.now,
      features: {
        watchList: gates.enabled('WatchList'),
        unsafeDeletion: gates.enabled('AllowUnsafeMalformedObjectDeletion'),
        watchCache: values.watchCache,
      },
      maximumBodyBytes: MAXIMUM_BODY_BYTES,
      minimumWatchSeconds: values.minRequestTimeout,
      bookmarkInterval: BOOKMARK_INTERVAL,
      countWatchEvents: measureWatches(metrics),
    };
    const router = createRouter({
      environment,
      paths: createPaths({
        configuration,
        registry,
        storage,
        operation,
        documents: serviceAccounts.documents,
        address: `${configuration.advertiseAddress}:${port}`,
        logger,
      }),
      virtual: virtualResources({
        environment,
        authorizer: identity.authorizer,
        bearer: identity.bearer,
        audiences: configuration.apiAudiences,
        storageHealth: () => storage.health(),
      }),
      subresources: subresourceHandlers({ environment, tokens: serviceAccounts.requestOptions }),
      isForwarded: forwardedGroups(registry),
    });
    const inFlight = new InFlight();
    const identities = new WeakMap<Exchange, UserInfo>();
    const deadline = deadlineFilter(values.requestTimeout);
    const handle = composeFilters(
      [
        trackingFilter(inFlight),
        requestLogFilter(logger),
        metricsFilter({
          metrics,
          find: (group, version, resource) => registry.catalog.find(group, version, resource),
          isKnownPath: (path) => operation.isOwnPath(path),
        }),
        errorFilter(logger),
        deadline.filter,
        authenticationFilter(measureAuthentication(identity.authenticate, metrics), identities),
        impersonationFilter(identity.authorizer),
        priorityFilter(flowSource(registry), ({ level, schema }) => metrics.dispatched.with(level.metadata?.name ?? '', schema.metadata?.name ?? '').add()),
        authorizationFilter(identity.authorizer, gates.enabled('AuthorizeWithSelectors')),
      ],
      router,
    );
    const answers: AnswerSettings = { compression: gates.enabled('APIResponseCompression'), cbor: gates.enabled('CBORServingAndStorage') };
    listenerHolder.handler = (exchange) => serve(exchange, answers, handle, logger);
    if (persist || configuration.given.has('kubeconfigOut'))
      writeKubeconfig(configuration.kubeconfigFile, { server: url, trust: tls.trust, client: tls.own.admin });
    const stopCompaction = startCompaction(storage, values.etcdCompactionInterval, logger);
    // Controllers are clients: whoever waits for the server isn't kept waiting for them.
    let controllers: RunningControllers | undefined;
    const controllersStart = setImmediate(() => {
      controllers = runControllers({ handle: listenerHolder.handler, identities, selected, registry, trust: tls.trust, logger });
    });

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
        const controllersStopped = controllers?.stop();
        const drained = listener.drain(DRAIN_MILLISECONDS);
        for (const stored of registry.stored) stored.cache.endWatches();
        await drained;
        await listener.close();
        await controllersStopped;
        deadline.stop();
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
      handle: listenerHolder.handler,
    };
  } catch (error) {
    await closeListener();
    await storage.close();
    throw error;
  }
}

/** Takes a request into the filter chain. */
function serve(exchange: Exchange, answers: AnswerSettings, handle: Handler, logger: Logger): void {
  const context = createContext(exchange, answers);
  if (context === undefined) {
    exchange.respond(400, 'text/plain; charset=utf-8', '400 Bad Request');
    return;
  }
  Promise.resolve(handle(context)).catch((error: unknown) => {
    logger.error('request failed outside of the chain', { uri: exchange.target, err: stackOf(error) });
    exchange.abort();
  });
}

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** The port is open before the store holds what every server has: clients are told to come again. */
function refuseUntilReady(exchange: Exchange): void {
  exchange.setHeader('retry-after', '1');
  exchange.respond(503, 'application/json', `${jsonText(errors.serviceUnavailable('the server is starting; try again in a second').toStatus())}\n`);
}
