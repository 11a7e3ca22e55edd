import { Aggregation } from '../extensions/aggregation/index.ts';
import { createServiceSource } from '../listers/service-source.ts';
import type { Scheme } from '../model/scheme.ts';
import type { Logger } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { OperationEnvironment } from '../operations/environment.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import { OutboundClient } from '../outbound/outbound-client.ts';
import type { Readers } from '../reader/readers.ts';
import type { Resources } from '../resources/resources.ts';
import type { LoopTurns } from '../steps/turns.ts';
import { type ClusterClock, processClock } from '../time/clock.ts';
import type { Activity } from './activity.ts';
import { ownOperation } from './definition-loops.ts';
import { measureQueues } from './instrumentation.ts';
import type { Outbound } from './outbound.ts';
import { readKeyedCertificate, type TlsMaterial } from './serving-certificates.ts';

/** Watches and upgrades hold a place for as long as they run. */
const LIMITS = { maximumRequests: 65_536, maximumWaiting: 1024 };

type AggregationOptions = OptionSlice<
  'aggregatorRejectForwardingRedirect' | 'proxyClientCertFile' | 'proxyClientKeyFile'
>;

export interface AggregationParts {
  readonly configuration: Configuration<AggregationOptions>;
  readonly resources: Resources;
  readonly readers: Readers;
  readonly outbound: Outbound;
  readonly tls: TlsMaterial;
  readonly logger: Logger;
}

/** Routes the group versions of extension servers. @throws ConfigurationError for an unusable certificate */
export async function aggregate({
  configuration: { values, gates },
  resources,
  readers,
  outbound,
  tls,
  logger,
}: AggregationParts): Promise<Aggregation> {
  const certificate =
    values.proxyClientCertFile === ''
      ? tls.generated.frontProxy
      : readKeyedCertificate(values.proxyClientCertFile, values.proxyClientKeyFile);
  const aggregation = new Aggregation({
    resources,
    readers,
    client: new OutboundClient({ ...LIMITS, egress: outbound.egress }),
    resolve: outbound.resolve,
    services: createServiceSource(resources),
    frontProxy: { clientCertificate: () => certificate },
    rejectsRedirects: values.aggregatorRejectForwardingRedirect,
    sendsUid: gates.enabled('RemoteRequestHeaderUID'),
    userAgent: outbound.userAgent,
    clock: processClock,
    logger,
  });
  await aggregation.start();
  return aggregation;
}

export interface AggregationLoopParts {
  readonly activity: Activity;
  readonly scheme: Scheme;
  readonly operations: OperationEnvironment;
  readonly turns: LoopTurns;
  readonly clusterClock: ClusterClock;
  readonly metrics: ServerMetrics;
  readonly logger: Logger;
}

/** Starts the loops of aggregation; they write without a request through the filter chain. */
export function runAggregationLoops(
  aggregation: Aggregation,
  { operations, turns, scheme, clusterClock, activity, metrics, logger }: AggregationLoopParts,
): void {
  const { unavailabilities } = metrics;
  const unavailable = new Set<string>();
  aggregation.startLoops(
    {
      operation: ownOperation(operations, turns, scheme),
      clock: processClock,
      clusterClock,
      logger,
      observeQueue: measureQueues(metrics, activity),
    },
    (name, availability) => {
      if (availability === undefined) {
        unavailable.delete(name);
        unavailabilities.remove({ name });
        return;
      }
      if (availability.status === 'True') unavailable.delete(name);
      else if (!unavailable.has(name)) {
        unavailable.add(name);
        unavailabilities.with(name, availability.reason).add();
      }
    },
  );
}
