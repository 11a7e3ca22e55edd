import type { MetricsRegistry } from './metrics.ts';

/** Metrics of requests to kubelets; labels are in the order in which callers pass their values. */
export function kubeletMetrics(registry: MetricsRegistry) {
  return {
    podLogRequests: registry.counter({
      name: 'kube_apiserver_pod_logs_insecure_backend_total',
      help: 'Total number of requests for pods/logs sliced by usage type: enforce_tls, skip_tls_allowed, skip_tls_denied',
      labels: ['usage'],
    }),
    podLogTlsFailures: registry.counter({
      name: 'kube_apiserver_pod_logs_backend_tls_failure_total',
      help: 'Total number of requests for pods/logs that failed due to kubelet server TLS verification',
    }),
    translatedStreams: registry.counter({
      name: 'apiserver_stream_translator_requests_total',
      help: 'Total number of requests that were handled by the StreamTranslatorProxy, which processes streaming RemoteCommand/V5',
      labels: ['code'],
    }),
    tunnelledStreams: registry.counter({
      name: 'apiserver_stream_tunnel_requests_total',
      help: 'Total number of requests that were handled by the StreamTunnelProxy, which processes streaming PortForward/V2',
      labels: ['code'],
    }),
  };
}
