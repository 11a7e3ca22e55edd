import type { MetricsRegistry } from './metrics.ts';

/** Metrics of pod security; labels are in the order in which callers pass their values. */
export function podSecurityMetrics(registry: MetricsRegistry) {
  return {
    evaluations: registry.counter({
      name: 'pod_security_evaluations_total',
      help: 'Number of policy evaluations that occurred, not counting ignored or exempt requests.',
      labels: [
        'decision',
        'policy_level',
        'policy_version',
        'mode',
        'request_operation',
        'resource',
        'subresource',
      ],
    }),
    exemptions: registry.counter({
      name: 'pod_security_exemptions_total',
      help: 'Number of exempt requests, not counting ignored or out of scope requests.',
      labels: ['request_operation', 'resource', 'subresource'],
    }),
    errors: registry.counter({
      name: 'pod_security_errors_total',
      help: 'Number of errors preventing normal evaluation. Non-fatal errors may result in the latest restricted profile being used for evaluation.',
      labels: ['fatal', 'request_operation', 'resource', 'subresource'],
    }),
  };
}
