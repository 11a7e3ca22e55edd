import type { PodMetrics } from '../../reconcile/pods/pod-usage.ts';
import type { Metrics, PodMetricsByName, PodSelection } from './metrics.ts';
import { resourceMetrics } from './resource-metrics.ts';

export interface OwnMetricsOptions {
  /** Measurements of the Pods that the server plays. */
  readonly podMetrics: PodMetrics;
  /** What an extension server measures. */
  readonly api: Metrics;
  /** Whether an extension server measures the usage of Pods: then it counts, not what the server plays. */
  readonly yields: () => boolean;
}

/** The usage of Pods on nodes of this server; all other measurements are of extension servers. */
export const ownMetrics = ({ podMetrics, api, yields }: OwnMetricsOptions): Metrics => ({
  resource(selection, resource, container) {
    return yields()
      ? api.resource(selection, resource, container)
      : usage(podMetrics, selection, resource, container);
  },
  pods: (selection, metric) => api.pods(selection, metric),
  object: (namespace, object, metric) => api.object(namespace, object, metric),
  external: (namespace, metric) => api.external(namespace, metric),
});

async function usage(
  podMetrics: PodMetrics,
  { pods }: PodSelection,
  resource: string,
  container: string | undefined,
): Promise<PodMetricsByName> {
  const measured = pods.flatMap((pod) => podMetrics(pod) ?? []);
  if (measured.length === 0) throw new Error('no metrics returned from resource metrics API');
  return resourceMetrics(measured, resource, container);
}
