import { randomUUID } from 'node:crypto';
import type { Exchange, ExchangeHandler } from '../connection/exchange.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { Aggregation } from '../extensions/aggregation/index.ts';
import type { CustomResources } from '../extensions/custom-resources/custom-resources.ts';
import { auditFilters } from '../filters/audit.ts';
import { createFilterChain } from '../filters/chain.ts';
import type { RequestTracer } from '../filters/tracing.ts';
import type { HandlerEnvironment } from '../handlers/environment.ts';
import { createRouter } from '../handlers/router.ts';
import { equivalentResources } from '../listers/equivalent-resources.ts';
import type { createListers } from '../listers/listers.ts';
import { type Logger, stackOf } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import { type OperationEnvironment, randomSuffix } from '../operations/environment.ts';
import { fieldOwnership } from '../operations/ownership.ts';
import { WriterQueue } from '../operations/writer-queue.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { Readers } from '../reader/readers.ts';
import { API_SERVER } from '../reconcile/identities.ts';
import type { Auditor } from '../request/audit.ts';
import type { Filter, Handler, RequestContext, ResponseSettings } from '../request/context.ts';
import { createContext } from '../request/create-context.ts';
import type { UserInfo } from '../request/user.ts';
import type { Resources } from '../resources/resources.ts';
import type { LoopScheduler } from '../steps/loop-scheduler.ts';
import type { LoopTurns } from '../steps/turns.ts';
import type { Storage } from '../storage/storage.ts';
import type { ClusterClock } from '../time/clock.ts';
import { Activity } from './activity.ts';
import { type AdmissionOptions, createAdmission } from './admission.ts';
import { type AdmissionSettings, connectImagePolicy } from './admission-configuration.ts';
import type { DebugEndpoints } from './debug-endpoints.ts';
import { createPathTable } from './endpoints.ts';
import { createFlowControl, type FlowControlOptions } from './flow-control.ts';
import type { createIdentity } from './identity.ts';
import {
  measureAuthentication,
  measureAuthorization,
  measureFreshness,
  measureWatches,
  onRemovedResource,
} from './instrumentation.ts';
import { namespaceCreator } from './namespace-creator.ts';
import type { Outbound } from './outbound.ts';
import { createPolicyPlugins } from './policies.ts';
import type { ServerHealth } from './server-health.ts';
import type { createServiceAccounts } from './service-accounts.ts';
import { subresourceHandlers } from './subresources.ts';
import { virtualResources } from './virtual-resources.ts';

const MAXIMUM_BODY_BYTES = 3 * 1024 * 1024;
const FUTURE_REVISION_WAIT = 3000;
const BOOKMARK_INTERVAL = 60_000;

/** The options of filters, admission and handlers. */
type RequestChainOptions = OptionSlice<
  | 'allowPrivileged'
  | 'corsAllowedOrigins'
  | 'enableGarbageCollector'
  | 'maxMutatingRequestsInflight'
  | 'maxRequestsInflight'
  | 'minRequestTimeout'
  | 'requestTimeout'
  | 'shutdownSendRetryAfter'
  | 'strictTransportSecurityDirectives'
  | 'watchCache'
>;

/** Dependencies of the request chain. */
export interface RequestChainParts {
  readonly configuration: Configuration<RequestChainOptions & AdmissionOptions & FlowControlOptions>;
  readonly resources: Resources;
  readonly readers: Readers;
  readonly listers: ReturnType<typeof createListers>;
  readonly storage: Storage;
  readonly clusterClock: ClusterClock;
  readonly metrics: ServerMetrics;
  readonly logger: Logger;
  readonly health: ServerHealth;
  readonly identity: Awaited<ReturnType<typeof createIdentity>>;
  readonly serviceAccounts: ReturnType<typeof createServiceAccounts>;
  readonly aggregation: Aggregation;
  readonly customResources: CustomResources;
  readonly outbound: Outbound;
  readonly port: number;
  readonly debug: DebugEndpoints;
  /** Whether the server has begun to reject requests at its shutdown. */
  readonly lifecycle: { readonly rejecting: boolean };
  /** Undefined without tracing. */
  readonly tracer: RequestTracer | undefined;
  /** Shares the event loop. */
  readonly loop: LoopScheduler;
  readonly admission: AdmissionSettings;
  /** Undefined without audit. */
  readonly auditor: Auditor | undefined;
}

/** The request chain: filters in order, then the router and its handlers. */
export interface RequestChain {
  readonly handle: ExchangeHandler;
  /** The users of in-process requests, for the authentication filter. */
  readonly identities: WeakMap<Exchange, UserInfo>;
  /** The environment of operations that the server itself begins. */
  readonly operations: OperationEnvironment;
  /** The turns of the event loop for the server's own work. */
  readonly turns: LoopTurns;
  /** What the own parts of the cluster do at present. */
  readonly activity: Activity;
  stop(): void;
}

/** Creates the request chain. */
export async function createRequestChain(parts: RequestChainParts): Promise<RequestChain> {
  const { configuration, resources, storage, metrics, logger, health, identity, serviceAccounts } = parts;
  const { loop, aggregation, customResources, clusterClock, port } = parts;
  const { values, gates } = configuration;
  const identities = new WeakMap<Exchange, UserInfo>();
  const imagePolicy = connectImagePolicy(parts.admission);
  const shared = {
    ...parts,
    turns: loop.own,
    authorizer: identity.authorizer,
    equivalents: equivalentResources(resources.served),
  };
  const policies = createPolicyPlugins(shared);
  const operations: OperationEnvironment = {
    admission: await createAdmission({
      ...shared,
      settings: parts.admission,
      createNamespace: namespaceCreator((exchange, user) => {
        identities.set(exchange, user);
        chain.handle(exchange);
      }, configuration.scheme.release),
      imagePolicy,
      policies,
    }),
    ownership: fieldOwnership,
    writers: new WriterQueue(),
    now: clusterClock.now,
    uid: randomUUID,
    nameSuffix: () => randomSuffix(Math.random),
    futureRevisionWait: FUTURE_REVISION_WAIT,
    allowPrivileged: values.allowPrivileged,
    garbageCollection: values.enableGarbageCollector,
    droppedFields: ({ row }, count) => metrics.droppedFields.with(row.group, row.resource).add(count),
    isOn: gates.isOn,
  };
  const environment: HandlerEnvironment = {
    resources,
    operations,
    authorize: (attributes) => identity.authorizer.authorize(attributes),
    now: clusterClock.now,
    features: {
      watchList: gates.enabled('WatchList'),
      unsafeDeletion: gates.enabled('AllowUnsafeMalformedObjectDeletion'),
      watchCache: values.watchCache,
    },
    maximumBodyBytes: MAXIMUM_BODY_BYTES,
    minimumWatchSeconds: values.minRequestTimeout,
    bookmarkInterval: BOOKMARK_INTERVAL,
    countWatchEvents: measureWatches(metrics),
    waitedForCache: measureFreshness(metrics),
    watchListed: ({ group, version, resource }, scope, seconds) =>
      metrics.watchListDuration.with(group, version, resource, scope).observe(seconds),
  };
  const flowControl = createFlowControl(parts);
  const catchUp =
    storage.immediate === undefined
      ? async () => void (await Promise.all([customResources.caughtUp(), aggregation.caughtUp()]))
      : undefined;
  const router = createRouter({
    environment,
    paths: createPathTable({
      configuration,
      resources,
      health,
      aggregation,
      documents: serviceAccounts.documents,
      flowControl,
      catchUp,
      debug: parts.debug,
      address: `${configuration.advertiseAddress}:${port}`,
    }),
    virtual: virtualResources({
      environment,
      authorizer: identity.authorizer,
      bearer: identity.bearer,
      audiences: configuration.apiAudiences,
      selectors: gates.enabled('AuthorizeWithSelectors'),
      storageHealth: () => storage.health(),
    }),
    subresources: subresourceHandlers({ environment, tokens: serviceAccounts.requestOptions }),
    extensionServer: (group, version) => aggregation.extensionServer(group, version),
    ...(catchUp !== undefined && { catchUp }),
  });
  const stops: (() => void)[] = policies.map((policy) => () => policy.stop());
  if (flowControl !== undefined) stops.push(() => flowControl.stop());
  for (const policy of policies) await policy.start();
  const handle = createFilterChain(
    {
      logger,
      metrics,
      rejectsAtShutdown: values.shutdownSendRetryAfter ? () => parts.lifecycle.rejecting : undefined,
      tracer: parts.tracer,
      advertised: { host: configuration.advertiseAddress, port },
      find: (group, version, resource) => resources.served.find(group, version, resource),
      onRemoval: onRemovedResource(resources.served),
      isKnownPath: (path) => health.isOwnPath(path),
      audit: parts.auditor && auditFilters(parts.auditor),
      transportSecurity: values.strictTransportSecurityDirectives,
      cors: await loadCorsFilter(values.corsAllowedOrigins),
      requestTimeout: values.requestTimeout,
      authenticate: measureAuthentication(identity.authenticate, metrics),
      identities,
      serverUser: API_SERVER,
      authorizer: measureAuthorization(identity.authorizer, metrics),
      flowControl,
      inFlightLimits: { readOnly: values.maxRequestsInflight, mutating: values.maxMutatingRequestsInflight },
      selectorAuthorization: gates.enabled('AuthorizeWithSelectors'),
      closesUnauthenticated: gates.enabled('UnauthenticatedHTTP2DOSMitigation'),
      onStop: (stop) => stops.push(stop),
    },
    router,
  );
  const responses: ResponseSettings = {
    compression: gates.enabled('APIResponseCompression'),
    cbor: gates.enabled('CBORServingAndStorage'),
  };
  const chain: RequestChain = {
    handle: (exchange) => {
      const context = createContext(exchange, loop.own, resources.scheme, responses);
      serve(exchange, context, handle, logger);
    },
    identities,
    operations,
    turns: loop.own,
    activity: new Activity(),
    stop() {
      for (const stop of stops) stop();
      imagePolicy?.close();
    },
  };
  return chain;
}

/** Loads the filter of `--cors-allowed-origins` and its expression engine if the flag is set. */
async function loadCorsFilter(patterns: readonly string[]): Promise<Filter | undefined> {
  if (patterns.length === 0) return undefined;
  const { corsFilter } = await import('../filters/cors.ts');
  try {
    return corsFilter(patterns);
  } catch (error) {
    throw new ConfigurationError(
      `--cors-allowed-origins has an invalid regular expression: ${(error as Error).message}`,
    );
  }
}

/** Passes an exchange to the filter chain. */
function serve(
  exchange: Exchange,
  context: RequestContext | undefined,
  handle: Handler,
  logger: Logger,
): void {
  if (context === undefined) {
    exchange.respond(400, 'text/plain; charset=utf-8', '400 Bad Request');
    return;
  }
  Promise.resolve(handle(context)).catch((error: unknown) => {
    logger.error('request failed outside of the chain', { uri: exchange.target, err: stackOf(error) });
    exchange.abort();
  });
}
