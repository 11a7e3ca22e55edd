import type { MetricsRegistry } from './metrics.ts';

/** Metrics of extension servers; labels are in the order in which callers pass their values. */
export function aggregationMetrics(registry: MetricsRegistry) {
  return {
    unavailabilities: registry.counter({
      name: 'aggregator_unavailable_apiservice_total',
      help: 'Counter of APIServices which are marked as unavailable broken down by APIService name and reason.',
      labels: ['name', 'reason'],
    }),
  };
}
