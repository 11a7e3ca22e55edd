import { exponential } from './buckets.ts';
import type { MetricsRegistry } from './metrics.ts';
import { bodyLabelNames, type ResourceLabels } from './resource-labels.ts';

const FILTER_SECONDS = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30];
const REQUEST_LABELS = ['verb', 'group', 'version', 'resource', 'subresource', 'scope'];

/** Further metrics of requests; labels are in the order in which callers pass their values. */
export function requestDetailMetrics(registry: MetricsRegistry, resourceLabels: ResourceLabels) {
  return {
    requestBodySizes: registry.histogram({
      name: 'apiserver_request_body_size_bytes',
      help: 'Apiserver request body size in bytes broken out by resource and verb.',
      labels: [...bodyLabelNames(resourceLabels), 'verb'],
      buckets: Array.from({ length: 31 }, (_, index) => 50_000 + index * 100_000),
    }),
    filterDuration: registry.histogram({
      name: 'apiserver_request_filter_duration_seconds',
      help: 'Request filter latency distribution in seconds, for each filter type',
      labels: ['filter'],
      buckets: FILTER_SECONDS,
    }),
    terminations: registry.counter({
      name: 'apiserver_request_terminations_total',
      help: 'Number of requests which apiserver terminated in self-defense.',
      labels: [...REQUEST_LABELS, 'component', 'code'],
    }),
    aborts: registry.counter({
      name: 'apiserver_request_aborts_total',
      help: 'Number of requests which apiserver aborted possibly due to a timeout, for each group, version, verb, resource, subresource and scope',
      labels: REQUEST_LABELS,
    }),
    selfRequests: registry.counter({
      name: 'apiserver_selfrequest_total',
      help: 'Counter of apiserver self-requests broken out for each verb, API resource and subresource.',
      labels: ['verb', 'resource', 'subresource'],
    }),
    fieldValidationDuration: registry.histogram({
      name: 'field_validation_request_duration_seconds',
      help: 'Response latency distribution in seconds for each field validation value',
      labels: ['field_validation'],
      buckets: [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60],
    }),
    authorizationAttempts: registry.counter({
      name: 'authorization_attempts_total',
      help: "Counter of authorization attempts broken down by result. It can be either 'allowed', 'denied', 'no-opinion' or 'error'.",
      labels: ['result'],
    }),
    authorizationDuration: registry.histogram({
      name: 'authorization_duration_seconds',
      help: 'Authorization duration in seconds broken out by result.',
      labels: ['result'],
      buckets: exponential(0.001, 2, 15),
    }),
  };
}
