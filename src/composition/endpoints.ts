import type { IssuerDocuments } from '../authentication/service-account/index.ts';
import type { Aggregation } from '../extensions/aggregation/index.ts';
import type { FlowControl } from '../flow-control/index.ts';
import { Discovery } from '../handlers/endpoints/discovery.ts';
import type { DiscoverySource } from '../handlers/endpoints/discovery-source.ts';
import { GroupsOf, resourceSetSource, unreadableSource } from '../handlers/endpoints/discovery-source.ts';
import { issuerPaths } from '../handlers/endpoints/issuer.ts';
import { OpenApi } from '../handlers/endpoints/openapi.ts';
import { createDocumentBuilder } from '../handlers/endpoints/openapi-builder.ts';
import type { DescribedSource } from '../handlers/endpoints/openapi-index.ts';
import { PathTable } from '../handlers/endpoints/path-table.ts';
import { rootPaths, versionPaths } from '../handlers/endpoints/version.ts';
import { METRICS_GROUP, METRICS_RESOURCES, METRICS_VERSION } from '../nodes/metrics/metrics-names.ts';
import type { Configuration } from '../options/options.ts';
import { PRODUCT_VERSION } from '../options/version.ts';
import type { Resources } from '../resources/resources.ts';
import type { DebugEndpoints } from './debug-endpoints.ts';
import { flowControlTables } from './flow-control.ts';
import type { ServerHealth } from './server-health.ts';
import type { ClusterPaths } from './start/open-server.ts';

export interface PathTableOptions {
  readonly configuration: Pick<Configuration, 'emulatedVersion' | 'gates' | 'scheme'>;
  readonly resources: Resources;
  readonly health: ServerHealth;
  readonly aggregation: Aggregation;
  /** Whether this server measures the usage of simulated nodes. */
  readonly simulatesMetrics: boolean;
  readonly documents: () => IssuerDocuments;
  readonly debug: DebugEndpoints;
  readonly clusterPaths: ClusterPaths;
  /** Undefined without priority and fairness. */
  readonly flowControl: FlowControl | undefined;
  /** See `OpenApiOptions.catchUp`. */
  readonly catchUp: (() => Promise<void>) | undefined;
  /** `host:port` at which clients reach the server. */
  readonly address: string;
}

/** Creates the handlers of all non-resource paths. */
export function createPathTable({
  configuration,
  health,
  documents,
  flowControl,
  debug,
  clusterPaths,
  resources,
  aggregation,
  simulatesMetrics,
  catchUp,
  address,
}: PathTableOptions): PathTable {
  const table = new PathTable();
  const local = resourceSetSource(resources.served);
  const discovery = new Discovery({
    // An extension server takes over the versions that it is registered for.
    types: resources.scheme.types,
    aggregatedVersions: configuration.gates.enabled('AggregatedDiscoveryRemoveBetaType')
      ? ['v2']
      : ['v2', 'v2beta1'],
    sources: [
      aggregation.discovery,
      local,
      ...(simulatesMetrics ? [metricsSource(aggregation.routes)] : []),
      unreadableSource(resources.unreadable, aggregation.priorities),
    ],
    order: aggregation.priorities,
    serverAddress: () => address,
  });
  const openapi = new OpenApi({
    sources: [withoutRoutes(local, aggregation.routes)],
    former: withoutRoutes(resources.former, aggregation.routes),
    remote: aggregation.openapi,
    ...(catchUp !== undefined && { catchUp }),
    builder: createDocumentBuilder(resources.scheme, {
      deleteReturnsObject: (group, resource) => {
        const { deletion } = resources.internal(group, resource).strategy;
        return deletion?.returnsObject === true && deletion.documentsStatus !== true;
      },
      cbor: configuration.gates.enabled('CBORServingAndStorage'),
      issuer: true,
    }),
    buildId: JSON.stringify([
      resources.scheme.minor,
      PRODUCT_VERSION,
      Object.fromEntries(configuration.gates.all),
    ]),
  });
  const version = {
    scheme: configuration.scheme,
    emulated: configuration.emulatedVersion,
    product: PRODUCT_VERSION,
  };
  for (const [path, handler] of [
    ...health.paths(),
    ...issuerPaths(documents),
    ...flowControlTables(flowControl),
    ...debug.listed,
    ...clusterPaths,
    ...discovery.paths(),
    ...openapi.paths(),
    ...versionPaths(version),
    ...rootPaths(() => [...table.exactPaths(), ...discovery.index()]),
  ])
    table.add(path, handler);
  for (const [path, handler] of debug.unlisted) table.addUnlisted(path, handler);
  return table;
}

/** The group of metrics of simulated nodes, unless an extension server has it. */
const metricsSource = (routes: Aggregation['routes']): DiscoverySource =>
  new GroupsOf(
    () => routes.generation,
    () => {
      if (routes.find(METRICS_GROUP, METRICS_VERSION) !== undefined) return [];
      const version = {
        version: METRICS_VERSION,
        resources: METRICS_RESOURCES,
        freshness: 'Current' as const,
      };
      return [{ group: METRICS_GROUP, versions: [version] }];
    },
  );

/** The versions of a source that no extension server has taken over. */
const withoutRoutes = (source: DescribedSource, routes: Aggregation['routes']): DescribedSource =>
  new GroupsOf(
    () => source.generation + routes.generation,
    () =>
      source.groups().map(({ group, versions }) => ({
        group,
        versions: versions.filter(({ version }) => routes.find(group, version) === undefined),
      })),
  );
