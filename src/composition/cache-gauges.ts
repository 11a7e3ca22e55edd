import type { ResourceCache } from '../cache/resource-cache.ts';
import { groupResourceOf } from '../model/object.ts';
import type { MetricsRegistry, Reading } from '../observability/metrics.ts';
import type { Resources } from '../resources/resources.ts';
import { REGISTRY_ROOT } from '../resources/stored-resource.ts';

/** A stored kind: its resource and group, the prefix of its keys, and its cache if there is one. */
export interface StoredKind {
  readonly name: string;
  readonly prefix: string;
  readonly cache: ResourceCache | undefined;
}

/** Each stored kind once. Reading metrics must not fill a cache. */
export function* storedKinds(resources: Resources): Generator<StoredKind> {
  const caches = new Map([...resources.stored].map(({ prefix, cache }) => [prefix, cache]));
  const seen = new Set<string>();
  for (const { storage: row, group, resource } of resources.served.resources) {
    if (row === undefined || seen.has(row.prefix)) continue;
    seen.add(row.prefix);
    const prefix = `${REGISTRY_ROOT}${row.prefix}/`;
    yield { name: groupResourceOf(group, resource), prefix, cache: caches.get(prefix) };
  }
}

type Count = 'initializations' | 'events' | 'lists' | 'fetched' | 'returned' | 'initialEvents';

/** Name, what it counts, label of the kind, and help. */
const COUNTERS: readonly (readonly [name: string, count: Count, label: string, help: string])[] = [
  [
    'apiserver_watch_cache_initializations_total',
    'initializations',
    'resource',
    'Counter of watch cache initializations broken by resource type.',
  ],
  [
    'apiserver_watch_cache_events_received_total',
    'events',
    'resource',
    'Counter of events received in watch cache broken by resource type.',
  ],
  [
    'apiserver_watch_cache_events_dispatched_total',
    'events',
    'resource',
    'Counter of events dispatched in watch cache broken by resource type.',
  ],
  [
    'apiserver_init_events_total',
    'initialEvents',
    'resource',
    'Counter of init events processed in watch cache broken by resource type.',
  ],
  [
    'apiserver_cache_list_total',
    'lists',
    'resource_prefix',
    'Number of LIST requests served from watch cache',
  ],
  [
    'apiserver_cache_list_fetched_objects_total',
    'fetched',
    'resource_prefix',
    'Number of objects read from watch cache in the course of serving a LIST request',
  ],
  [
    'apiserver_cache_list_returned_objects_total',
    'returned',
    'resource_prefix',
    'Number of objects returned for a LIST request from watch cache',
  ],
];

/** Counters with the label `index`. Lists use the index of names only, whose value of the label is empty. */
const INDEXED = new Set<Count>(['lists', 'fetched']);

/** Registers what the caches count. */
export function observeCaches(metrics: MetricsRegistry, resources: Resources): void {
  for (const [name, count, label, help] of COUNTERS) {
    const labels = INDEXED.has(count) ? [label, 'index'] : [label];
    metrics.observe({ name, help, labels }, 'counter', () =>
      read(resources, (kind, { counts }) => {
        const value = label === 'resource_prefix' ? pathOf(kind) : kind.name;
        return counts.initializations === 0
          ? []
          : [[INDEXED.has(count) ? [value, ''] : [value], counts[count]]];
      }),
    );
  }
  metrics.observe(
    {
      name: 'apiserver_watch_cache_consistent_read_total',
      help: 'Counter for consistent reads from cache.',
      labels: ['resource', 'success', 'fallback'],
    },
    'counter',
    () =>
      read(resources, (kind, { counts }) => [
        ...(counts.consistentReads > 0
          ? [[[pathOf(kind), 'true', 'false'], counts.consistentReads] as const]
          : []),
        ...(counts.failedReads > 0 ? [[[pathOf(kind), 'false', 'false'], counts.failedReads] as const] : []),
      ]),
  );
  metrics.observe(
    {
      name: 'apiserver_watch_cache_resource_version',
      help: 'Current resource version of watch cache broken by resource type.',
      labels: ['resource'],
    },
    'gauge',
    () => read(resources, ({ name }, { revision }) => (revision > 0 ? [[[name], revision]] : [])),
  );
}

/** The prefix of a kind below the root, with a slash before it. */
const pathOf = ({ prefix }: StoredKind): string => prefix.slice(REGISTRY_ROOT.length - 1, -1);

function read(
  resources: Resources,
  readings: (kind: StoredKind, cache: ResourceCache) => Reading[],
): Reading[] {
  return [...storedKinds(resources)].flatMap((kind) =>
    kind.cache === undefined ? [] : readings(kind, kind.cache),
  );
}
