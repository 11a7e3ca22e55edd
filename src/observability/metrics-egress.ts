import type { MetricsRegistry } from './metrics.ts';

/** Metrics of egress proxies; labels are in the order in which callers pass their values. */
export function egressMetrics(registry: MetricsRegistry) {
  return {
    egressDialStarts: registry.counter({
      name: 'apiserver_egress_dialer_dial_start_total',
      help: 'Dial starts, labeled by the protocol (http-connect or grpc) and transport (tcp or uds).',
      labels: ['protocol', 'transport'],
    }),
    egressDialDuration: registry.histogram({
      name: 'apiserver_egress_dialer_dial_duration_seconds',
      help: 'Dial latency histogram in seconds, labeled by the protocol (http-connect or grpc), transport (tcp or uds)',
      labels: ['protocol', 'transport'],
      buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 12.5],
    }),
    egressDialFailures: registry.counter({
      name: 'apiserver_egress_dialer_dial_failure_count',
      help: 'Dial failure count, labeled by the protocol (http-connect or grpc), transport (tcp or uds), and stage (connect or proxy). The stage indicates at which stage the dial failed',
      labels: ['protocol', 'transport', 'stage'],
    }),
  };
}
