import { DEFAULT_SECONDS, exponential } from './buckets.ts';
import type { MetricDeclaration } from './metric-family.ts';
import { type AllowedLabels, MetricsRegistry } from './metrics.ts';
import { ADMISSION_SECONDS, stepMetrics, webhookMetrics } from './metrics-admission.ts';
import { aggregationMetrics } from './metrics-aggregation.ts';
import { allocationMetrics } from './metrics-allocation.ts';
import { authenticationMetrics } from './metrics-authentication.ts';
import { cacheMetrics } from './metrics-cache.ts';
import { clientMetrics, queueMetrics } from './metrics-client.ts';
import { conversionMetrics } from './metrics-conversion.ts';
import { egressMetrics } from './metrics-egress.ts';
import { flowControlMetrics } from './metrics-flow-control.ts';
import { kubeletMetrics } from './metrics-kubelets.ts';
import { requestDetailMetrics } from './metrics-request.ts';
import { BY_KIND, type ResourceLabels, watchLabelNames } from './resource-labels.ts';

const REQUEST_SECONDS = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
const OBJECTIVE_SECONDS = REQUEST_SECONDS.slice(2);

/** Request metrics; labels are in the order in which callers pass their values. */
function requestMetrics(registry: MetricsRegistry, resourceLabels: ResourceLabels) {
  return {
    requests: registry.counter({
      name: 'apiserver_request_total',
      help: 'Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
      stability: 'STABLE',
      labels: [
        'verb',
        'dry_run',
        'group',
        'version',
        'resource',
        'subresource',
        'scope',
        'component',
        'code',
      ],
    }),
    requestDuration: registry.histogram({
      name: 'apiserver_request_duration_seconds',
      help: 'Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.',
      stability: 'STABLE',
      labels: ['verb', 'dry_run', 'group', 'version', 'resource', 'subresource', 'scope', 'component'],
      buckets: REQUEST_SECONDS,
    }),
    objectiveDuration: registry.histogram({
      name: 'apiserver_request_sli_duration_seconds',
      help: 'Response latency distribution (not counting webhook duration and priority & fairness queue wait times) in seconds for each verb, group, version, resource, subresource, scope and component.',
      labels: ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component'],
      buckets: OBJECTIVE_SECONDS,
    }),
    responseSizes: registry.histogram({
      name: 'apiserver_response_sizes',
      help: 'Response size distribution in bytes for each group, version, verb, resource, subresource, scope and component.',
      stability: 'STABLE',
      labels: ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component'],
      buckets: exponential(1000, 10, 7),
    }),
    longRunning: registry.gauge({
      name: 'apiserver_longrunning_requests',
      help: 'Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component. Not all requests are tracked this way.',
      stability: 'STABLE',
      labels: ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component'],
    }),
    deprecatedApis: registry.gauge({
      name: 'apiserver_requested_deprecated_apis',
      help: 'Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.',
      stability: 'STABLE',
      labels: ['group', 'version', 'resource', 'subresource', 'removed_release'],
    }),
    watchEvents: registry.counter({
      name: 'apiserver_watch_events_total',
      help: 'Number of events sent in watch clients',
      labels: watchLabelNames(resourceLabels),
    }),
    watchEventSizes: registry.histogram({
      name: 'apiserver_watch_events_sizes',
      help: 'Watch event size distribution in bytes',
      labels: watchLabelNames(resourceLabels),
      buckets: exponential(1024, 2, 8),
    }),
  };
}

/** Metrics of the components that process requests. */
function partMetrics(registry: MetricsRegistry) {
  return {
    authorizationDecisions: registry.counter({
      name: 'apiserver_authorization_decisions_total',
      help: 'Total number of terminal decisions made by an authorizer split by authorizer type, name, and decision.',
      labels: ['type', 'name', 'decision'],
    }),
    admissionDuration: registry.histogram({
      name: 'apiserver_admission_controller_admission_duration_seconds',
      help: 'Admission controller latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
      stability: 'STABLE',
      labels: ['name', 'type', 'operation', 'rejected'],
      buckets: ADMISSION_SECONDS,
    }),
    celCompilation: registry.histogram({
      name: 'apiserver_cel_compilation_duration_seconds',
      help: 'CEL compilation time in seconds.',
      stability: 'BETA',
      buckets: DEFAULT_SECONDS,
    }),
    celEvaluation: registry.histogram({
      name: 'apiserver_cel_evaluation_duration_seconds',
      help: 'CEL evaluation time in seconds.',
      stability: 'BETA',
      buckets: DEFAULT_SECONDS,
    }),
    policyChecks: registry.counter({
      name: 'apiserver_validating_admission_policy_check_total',
      help: 'Validation admission policy check total, labeled by policy and further identified by binding and enforcement action taken.',
      stability: 'BETA',
      labels: ['policy', 'policy_binding', 'error_type', 'enforcement_action'],
    }),
    policyCheckDuration: registry.histogram({
      name: 'apiserver_validating_admission_policy_check_duration_seconds',
      help: 'Validation admission latency for individual validation expressions in seconds, labeled by policy and further including binding and enforcement action taken.',
      stability: 'BETA',
      labels: ['policy', 'policy_binding', 'error_type', 'enforcement_action'],
      buckets: [0.000_000_5, 0.001, 0.01, 0.1, 1],
    }),
    auditEvents: registry.counter({
      name: 'apiserver_audit_event_total',
      help: 'Counter of audit events generated and sent to the audit backend.',
    }),
    auditErrors: registry.counter({
      name: 'apiserver_audit_error_total',
      help: 'Counter of audit events that failed to be audited properly. Plugin identifies the plugin affected by the error.',
      labels: ['plugin'],
    }),
    auditLevels: registry.counter({
      name: 'apiserver_audit_level_total',
      help: 'Counter of policy levels for audit events (1 per request).',
      labels: ['level'],
    }),
    auditRejections: registry.counter({
      name: 'apiserver_audit_requests_rejected_total',
      help: 'Counter of apiserver requests rejected due to an error in audit logging backend.',
    }),
    storeRequests: registry.counter({
      name: 'etcd_requests_total',
      help: 'Etcd request counts for each operation and object type.',
      labels: ['operation', 'type'],
    }),
    storeErrors: registry.counter({
      name: 'etcd_request_errors_total',
      help: 'Etcd failed request counts for each operation and object type.',
      labels: ['operation', 'type'],
    }),
    droppedFields: registry.counter({
      name: 'binnacle_storage_dropped_unknown_fields_total',
      help: 'Fields of stored objects that were dropped by a write, because this server does not know them.',
      labels: ['group', 'resource'],
    }),
    storeDuration: registry.histogram({
      name: 'etcd_request_duration_seconds',
      help: 'Etcd request latency in seconds for each operation and object type.',
      labels: ['operation', 'type'],
      buckets: REQUEST_SECONDS,
    }),
    leaseObjects: registry.histogram({
      name: 'etcd_lease_object_counts',
      help: 'Number of objects attached to a single etcd lease.',
      labels: [],
      buckets: [10, 50, 100, 500, 1000, 2500, 5000],
    }),
    bookmarks: registry.gauge({
      name: 'etcd_bookmark_counts',
      help: 'Number of etcd bookmarks (progress notify events) split by kind.',
      labels: ['resource'],
    }),
  };
}

/** Health as a service level indicator: a separate registry, served at `/metrics/slis`. */
function indicatorMetrics(registry: MetricsRegistry) {
  return {
    healthcheck: registry.gauge({
      name: 'kubernetes_healthcheck',
      help: 'This metric records the result of a single healthcheck.',
      stability: 'STABLE',
      labels: ['name', 'type'],
    }),
    healthchecks: registry.counter({
      name: 'kubernetes_healthchecks_total',
      help: 'This metric records the results of all healthcheck.',
      stability: 'STABLE',
      labels: ['name', 'type', 'status'],
    }),
  };
}

/**
 * Creates the metrics of one server.
 * @param hides selects hidden metrics
 * @param allowed label values that are shown; default: all
 * @param resourceLabels how the release names resources
 */
export function createServerMetrics(
  hides?: (declaration: MetricDeclaration) => boolean,
  allowed?: AllowedLabels,
  resourceLabels = BY_KIND,
) {
  const registry = new MetricsRegistry(hides, allowed);
  const indicators = new MetricsRegistry();
  return {
    registry,
    indicators,
    resourceLabels,
    ...requestMetrics(registry, resourceLabels),
    ...authenticationMetrics(registry),
    ...requestDetailMetrics(registry, resourceLabels),
    ...partMetrics(registry),
    ...aggregationMetrics(registry),
    ...kubeletMetrics(registry),
    ...allocationMetrics(registry),
    ...cacheMetrics(registry),
    ...clientMetrics(registry),
    ...queueMetrics(registry),
    ...conversionMetrics(registry),
    ...egressMetrics(registry),
    ...stepMetrics(registry),
    ...webhookMetrics(registry),
    ...indicatorMetrics(indicators),
    flowControl: flowControlMetrics(registry),
  };
}

export type ServerMetrics = ReturnType<typeof createServerMetrics>;
