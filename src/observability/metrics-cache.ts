import type { MetricsRegistry } from './metrics.ts';

const WAIT_SECONDS = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3];
const WATCH_LIST_SECONDS = [
  0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

/** Metrics of the caches and of lists; labels are in the order in which callers pass their values. */
export function cacheMetrics(registry: MetricsRegistry) {
  const list = (name: string, help: string) =>
    registry.counter({ name: `apiserver_storage_list_${name}`, help, labels: ['resource'] });
  return {
    freshnessWait: registry.histogram({
      name: 'apiserver_watch_cache_read_wait_seconds',
      help: 'Histogram of time spent waiting for a watch cache to become fresh.',
      labels: ['resource'],
      buckets: WAIT_SECONDS,
    }),
    watchListDuration: registry.histogram({
      name: 'apiserver_watch_list_duration_seconds',
      help: 'Response latency distribution in seconds for watch list requests broken by group, version, resource and scope.',
      labels: ['group', 'version', 'resource', 'scope'],
      buckets: WATCH_LIST_SECONDS,
    }),
    storeEvents: registry.counter({
      name: 'apiserver_storage_events_received_total',
      help: 'Number of etcd events received split by kind.',
      labels: ['resource'],
    }),
    storeLists: list('total', 'Number of LIST requests served from storage'),
    storeFetched: list(
      'fetched_objects_total',
      'Number of objects read from storage in the course of serving a LIST request',
    ),
    storeEvaluated: list(
      'evaluated_objects_total',
      'Number of objects tested in the course of serving a LIST request from storage',
    ),
    storeReturned: list(
      'returned_objects_total',
      'Number of objects returned for a LIST request from storage',
    ),
  };
}
