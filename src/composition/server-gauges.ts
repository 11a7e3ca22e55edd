import type { ConnectionCounters } from '../connection/limits.ts';
import type { Listener } from '../connection/listener.ts';
import { Lister } from '../listers/listers.ts';
import type { APIService } from '../model/generated/apiregistration-v1.ts';
import type { Life } from '../model/life.ts';
import type { Reading } from '../observability/metrics.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { Resources } from '../resources/resources.ts';
import { prefixEnd, type Storage } from '../storage/storage.ts';
import { processClock } from '../time/clock.ts';
import { observeCaches, storedKinds } from './cache-gauges.ts';

/** The options of the gauges. */
type GaugeOptionSlice = OptionSlice<'etcdCountMetricPollPeriod'>;

export interface GaugeOptions {
  readonly metrics: ServerMetrics;
  readonly configuration: Pick<Configuration<GaugeOptionSlice>, 'gates' | 'scheme' | 'values'>;
  readonly resources: Resources;
  readonly storage: Storage;
  readonly listener: Pick<Listener, 'counters'>;
}

/** Registers metrics that are read from the parts on demand. */
export function registerServerGauges({
  metrics,
  configuration,
  resources,
  storage,
  listener,
}: GaugeOptions): void {
  const all = metrics.registry;
  // Counts in a store in other processes are requests: they are kept for the period of the flag.
  const counts =
    storage.immediate !== undefined
      ? () => storedObjects(resources, storage)
      : keptFor(configuration.values.etcdCountMetricPollPeriod, () => storedObjects(resources, storage));
  observeBuild(metrics, configuration);
  observeDeclaredValidation(metrics, configuration);
  observeConnections(metrics, listener);

  all.observe(
    {
      name: 'apiserver_storage_objects',
      help: 'Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.',
      stability: 'STABLE',
      labels: ['resource'],
    },
    'gauge',
    counts,
  );
  observeCaches(all, resources);
  all.observe(
    {
      name: 'apiserver_storage_size_bytes',
      help: 'Size of the storage database file physically allocated in bytes.',
      stability: 'STABLE',
      labels: ['storage_cluster_id'],
    },
    'gauge',
    async () => {
      const { bytes, clusterBytes = [bytes] } = await storage.statistics();
      return clusterBytes.map((size, index): Reading => [[`etcd-${index}`], size]);
    },
  );
  all.observe(
    {
      name: 'apiserver_storage_db_total_size_in_bytes',
      help: 'Total size of the storage database file physically allocated in bytes.',
      labels: ['endpoint'],
      deprecatedSince: '1.28.0',
    },
    'gauge',
    async () => [[['etcd-0'], (await storage.statistics()).bytes]],
  );
  const services = new Lister(resources, 'apiregistration.k8s.io', 'apiservices');
  all.observe(
    {
      name: 'aggregator_unavailable_apiservice',
      help: 'Gauge of APIServices which are marked as unavailable broken down by APIService name.',
      labels: ['name'],
    },
    'gauge',
    async () =>
      ((await services.list()) as APIService[]).map(({ metadata, status }): Reading => {
        const available = status?.conditions?.find(({ type }) => type === 'Available');
        return [[metadata?.name ?? ''], available?.status === 'False' ? 1 : 0];
      }),
  );
}

/**
 * Counts objects by resource: from the cache, or from the store for a resource whose cache has not been
 * filled.
 */
async function storedObjects(resources: Resources, storage: Storage): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (const { name, prefix, cache } of storedKinds(resources))
    readings.push([[name], cache?.size || (await countKeys(storage, prefix))]);
  return readings;
}

/** Reads again when the period has passed; a period of 0 gives no readings. */
function keptFor(period: number, read: () => Promise<Reading[]>): () => Promise<Reading[]> {
  let kept: Promise<Reading[]> = Promise.resolve([]);
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (period > 0 && processClock.monotonic() - readAt >= period) {
      readAt = processClock.monotonic();
      kept = read();
    }
    return kept;
  };
}

async function countKeys(storage: Storage, prefix: string): Promise<number> {
  try {
    return await storage.count(prefix, prefixEnd(prefix));
  } catch {
    return -1;
  }
}

/** The releases that compare declared rules of validation with written ones. */
const DECLARES_VALIDATION: Life = { since: '1.33' };

/** Rules have one form here, so nothing ever differs. */
function observeDeclaredValidation(
  { registry }: ServerMetrics,
  { scheme }: Pick<Configuration, 'scheme'>,
): void {
  if (!scheme.has(DECLARES_VALIDATION)) return;
  const counters = {
    mismatch:
      'Number of times declarative validation results differed from handwritten validation results for core types.',
    panic: 'Number of times declarative validation has panicked during validation.',
  };
  for (const [name, help] of Object.entries(counters))
    registry.observe(
      { name: `apiserver_validation_declarative_validation_${name}_total`, help, stability: 'BETA' },
      'counter',
      () => [[[], 0]],
    );
}

function observeBuild(
  { registry }: ServerMetrics,
  { gates, scheme }: Pick<Configuration, 'gates' | 'scheme'>,
): void {
  const { release } = scheme;
  registry.observe(
    {
      name: 'kubernetes_build_info',
      help: "A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
      labels: [
        'major',
        'minor',
        'git_version',
        'git_commit',
        'git_tree_state',
        'build_date',
        'go_version',
        'compiler',
        'platform',
      ],
    },
    'gauge',
    () => [
      [
        [
          release.major,
          release.minor,
          release.gitVersion,
          '',
          '',
          '',
          process.version,
          'v8',
          `${process.platform}/${process.arch}`,
        ],
        1,
      ],
    ],
  );
  registry.observe(
    {
      name: 'kubernetes_feature_enabled',
      help: 'This metric records the data about the stage and enablement of a k8s feature.',
      stability: 'BETA',
      labels: ['name', 'stage'],
    },
    'gauge',
    () =>
      [...gates.all].map(([name, enabled]): Reading => {
        const stage = scheme.gates.get(name)?.stage ?? '';
        return [[name, stage === 'GA' ? '' : stage], enabled ? 1 : 0];
      }),
  );
}

const CONNECTION_METRICS: readonly (readonly [
  name: string,
  type: 'counter' | 'gauge',
  member: keyof ConnectionCounters,
  help: string,
])[] = [
  [
    'apiserver_tls_handshake_errors_total',
    'counter',
    'tlsHandshakeErrors',
    "Number of requests dropped with 'TLS handshake error from' error",
  ],
  ['binnacle_open_connections', 'gauge', 'openConnections', 'Open connections of clients.'],
  [
    'binnacle_malformed_requests_total',
    'counter',
    'malformedRequests',
    'Malformed or oversized requests that were rejected by the connection.',
  ],
  [
    'binnacle_stalled_exchanges_total',
    'counter',
    'stalled',
    'Requests and connections ended because the client made no progress.',
  ],
  [
    'binnacle_overflowed_answers_total',
    'counter',
    'overflowed',
    'Responses aborted because the client let too many bytes queue up.',
  ],
];

function observeConnections({ registry }: ServerMetrics, { counters }: Pick<Listener, 'counters'>): void {
  for (const [name, type, member, help] of CONNECTION_METRICS)
    registry.observe({ name, help }, type, () => [[[], counters[member]]]);
}
