import { type Exchange, type ExchangeHandler, sentTarget } from '../connection/exchange.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { Aggregation } from '../extensions/aggregation/index.ts';
import type { CustomResources } from '../extensions/custom-resources/custom-resources.ts';
import type { Faults } from '../faults/faults.ts';
import { faultFilter } from '../faults/filter.ts';
import { auditFilters } from '../filters/audit.ts';
import { createFilterChain, type FilterParts } from '../filters/chain.ts';
import type { RequestTracer } from '../filters/tracing.ts';
import type { FlowControl } from '../flow-control/index.ts';
import type { HandlerEnvironment } from '../handlers/environment.ts';
import { createRouter } from '../handlers/router.ts';
import type { NodeAccess } from '../kubelets/node-access.ts';
import type { MetricsApi } from '../nodes/metrics/metrics-api.ts';
import { METRICS_GROUP, METRICS_VERSION } from '../nodes/metrics/metrics-names.ts';
import { type Logger, stackOf } from '../observability/log.ts';
import type { OperationEnvironment } from '../operations/environment.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import { API_SERVER } from '../reconcile/identities.ts';
import type { Auditor } from '../request/audit.ts';
import type { Filter, Handler, RequestContext, ResponseSettings } from '../request/context.ts';
import { createContext } from '../request/create-context.ts';
import type { UserInfo } from '../request/user.ts';
import type { LoopScheduler } from '../steps/loop-scheduler.ts';
import type { LoopTurns } from '../steps/turns.ts';
import type { Storage } from '../storage/storage.ts';
import { Activity } from './activity.ts';
import type { DebugEndpoints } from './debug-endpoints.ts';
import { createPathTable } from './endpoints.ts';
import type { FlowControlOptions } from './flow-control.ts';
import { createFlowControl } from './flow-control.ts';
import type { createIdentity } from './identity.ts';
import { measureAuthentication, measureAuthorization, onRemovedResource } from './instrumentation.ts';
import { type EnvironmentParts, handlerEnvironment, operationEnvironment } from './request-environments.ts';
import type { ServerHealth } from './server-health.ts';
import type { createServiceAccounts } from './service-accounts.ts';
import type { ClusterPaths } from './start/open-server.ts';
import { subresourceHandlers } from './subresources.ts';
import { virtualResources } from './virtual-resources.ts';

/** The options of filters and handlers. */
type RequestChainOptions = OptionSlice<
  | 'corsAllowedOrigins'
  | 'maxMutatingRequestsInflight'
  | 'maxRequestsInflight'
  | 'requestTimeout'
  | 'shutdownSendRetryAfter'
  | 'strictTransportSecurityDirectives'
>;

/** Dependencies of the request chain. */
export interface RequestChainParts
  extends Omit<EnvironmentParts, 'authorizer' | 'configuration' | 'identities' | 'stops' | 'turns'> {
  readonly configuration: Configuration<RequestChainOptions & FlowControlOptions> &
    EnvironmentParts['configuration'];
  /** Shares the event loop among the flows of all clusters. */
  readonly loop: LoopScheduler;
  readonly storage: Storage;
  readonly health: ServerHealth;
  readonly identity: Awaited<ReturnType<typeof createIdentity>>;
  readonly serviceAccounts: ReturnType<typeof createServiceAccounts>;
  readonly aggregation: Aggregation;
  readonly customResources: CustomResources;
  /** The way to kubelets and pods. */
  readonly access: NodeAccess;
  /** The usage of simulated nodes; undefined if no nodes are simulated. */
  readonly metricsApi: MetricsApi | undefined;
  readonly port: number;
  readonly debug: DebugEndpoints;
  readonly clusterPaths: ClusterPaths;
  /** The faults of the cluster; undefined where there are none. */
  readonly faults: Faults | undefined;
  /** Whether the server has begun to reject requests at its shutdown. */
  readonly lifecycle: { readonly rejecting: boolean };
  /** Undefined without tracing. */
  readonly tracer: RequestTracer | undefined;
  /** Undefined without audit. */
  readonly auditor: Auditor | undefined;
}

/** What several steps of the chain's creation share. */
interface ChainContext
  extends RequestChainParts,
    Pick<EnvironmentParts, 'authorizer' | 'identities' | 'stops' | 'turns'> {
  readonly configuration: RequestChainParts['configuration'];
  readonly flowControl: FlowControl | undefined;
}

/** The request chain: filters in order, then the router and its handlers. */
export interface RequestChain {
  readonly handle: ExchangeHandler;
  /** The users of in-process requests, for the authentication filter. */
  readonly identities: WeakMap<Exchange, UserInfo>;
  /** The environment of operations that the server itself begins. */
  readonly operations: OperationEnvironment;
  /** The turns of the event loop for the cluster's own work. */
  readonly turns: LoopTurns;
  /** What the own parts of the cluster do at present. */
  readonly activity: Activity;
  stop(): void;
}

/** Creates the request chain. */
export async function createRequestChain(parts: RequestChainParts): Promise<RequestChain> {
  const { configuration, resources, logger, loop } = parts;
  const context: ChainContext = {
    ...parts,
    authorizer: parts.identity.authorizer,
    flowControl: createFlowControl(parts),
    identities: new WeakMap(),
    turns: loop.ownFlow(),
    stops: [],
  };
  const { flowControl, identities, stops, turns } = context;
  if (flowControl !== undefined) stops.push(() => flowControl.stop());
  const operations = await operationEnvironment(context, (exchange) => chain.handle(exchange));
  const handle = createFilterChain(
    await filterParts(context),
    requestRouter(context, handlerEnvironment(context, operations)),
  );
  const { gates } = configuration;
  const responses: ResponseSettings = {
    compression: gates.enabled('APIResponseCompression'),
    cbor: gates.enabled('CBORServingAndStorage'),
  };
  const chain: RequestChain = {
    handle: (exchange) =>
      serve(exchange, createContext(exchange, turns, resources.scheme, responses), handle, logger),
    identities,
    operations,
    turns,
    activity: new Activity(),
    stop() {
      for (const stop of stops) stop();
    },
  };
  return chain;
}

function requestRouter(context: ChainContext, environment: HandlerEnvironment): Handler {
  const {
    configuration,
    storage,
    health,
    identity,
    serviceAccounts,
    aggregation,
    customResources,
    metricsApi,
  } = context;
  const catchUp =
    storage.immediate === undefined
      ? async () => void (await Promise.all([customResources.caughtUp(), aggregation.caughtUp()]))
      : undefined;
  return createRouter({
    environment,
    paths: createPathTable({
      configuration,
      resources: context.resources,
      health,
      aggregation,
      simulatesMetrics: context.metricsApi !== undefined,
      documents: serviceAccounts.documents,
      flowControl: context.flowControl,
      catchUp,
      debug: context.debug,
      clusterPaths: context.clusterPaths,
      address: `${configuration.advertiseAddress}:${context.port}`,
    }),
    virtual: virtualResources({
      environment,
      authorizer: context.authorizer,
      bearer: identity.bearer,
      audiences: configuration.apiAudiences,
      selectors: configuration.gates.enabled('AuthorizeWithSelectors'),
      storageHealth: () => storage.health(),
    }),
    subresources: subresourceHandlers({
      environment,
      tokens: serviceAccounts.requestOptions,
      access: context.access,
    }),
    extensionServer: (group, version) => aggregation.extensionServer(group, version),
    ownServer: (group, version) =>
      metricsApi !== undefined && group === METRICS_GROUP && version === METRICS_VERSION
        ? (served) => metricsApi.handle(served)
        : undefined,
    ...(catchUp !== undefined && { catchUp }),
  });
}

async function filterParts(context: ChainContext): Promise<FilterParts> {
  const { configuration, resources, metrics, health, identity, port } = context;
  const { values, gates } = configuration;
  return {
    logger: context.logger,
    metrics,
    rejectsAtShutdown: values.shutdownSendRetryAfter ? () => context.lifecycle.rejecting : undefined,
    tracer: context.tracer,
    advertised: { host: configuration.advertiseAddress, port },
    find: (group, version, resource) => resources.served.find(group, version, resource),
    onRemoval: onRemovedResource(resources.served),
    isKnownPath: (path) => health.isOwnPath(path),
    audit: context.auditor && auditFilters(context.auditor),
    transportSecurity: values.strictTransportSecurityDirectives,
    cors: await loadCorsFilter(values.corsAllowedOrigins),
    requestTimeout: values.requestTimeout,
    authenticate: measureAuthentication(identity.authenticate, metrics),
    identities: context.identities,
    serverUser: API_SERVER,
    authorizer: measureAuthorization(context.authorizer, metrics),
    flowControl: context.flowControl,
    inFlightLimits: { readOnly: values.maxRequestsInflight, mutating: values.maxMutatingRequestsInflight },
    constrainsImpersonation: gates.isOn('ConstrainedImpersonation'),
    selectorAuthorization: gates.enabled('AuthorizeWithSelectors'),
    closesUnauthenticated: gates.enabled('UnauthenticatedHTTP2DOSMitigation'),
    faults:
      context.faults && faultFilter({ faults: context.faults, revisions: () => context.storage.immediate }),
    onStop: (stop) => context.stops.push(stop),
  };
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
    logger.error('request failed outside of the chain', { uri: sentTarget(exchange), err: stackOf(error) });
    exchange.abort();
  });
}
