import type { MetricsRegistry } from './metrics.ts';

const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CONDITION_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

/**
 * Metrics of authorization webhooks and of the authorization configuration file; registered only when
 * configured.
 */
export function authorizationMetrics(registry: MetricsRegistry) {
  return {
    evaluations: registry.counter({
      name: 'apiserver_authorization_webhook_evaluations_total',
      help: 'Round-trips to authorization webhooks.',
      labels: ['name', 'result'],
    }),
    duration: registry.histogram({
      name: 'apiserver_authorization_webhook_duration_seconds',
      help: 'Request latency in seconds.',
      labels: ['name', 'result'],
      buckets: CALL_SECONDS,
    }),
    failedOpen: registry.counter({
      name: 'apiserver_authorization_webhook_evaluations_fail_open_total',
      help: 'NoOpinion results due to webhook timeout or error.',
      labels: ['name', 'result'],
    }),
    conditionErrors: registry.counter({
      name: 'apiserver_authorization_match_condition_evaluation_errors_total',
      help: 'Total number of errors when an authorization webhook encounters a match condition error split by authorizer type and name.',
      labels: ['type', 'name'],
    }),
    conditionExclusions: registry.counter({
      name: 'apiserver_authorization_match_condition_exclusions_total',
      help: 'Total number of exclusions when an authorization webhook is skipped because match conditions exclude it.',
      labels: ['type', 'name'],
    }),
    conditionSeconds: registry.histogram({
      name: 'apiserver_authorization_match_condition_evaluation_seconds',
      help: 'Authorization match condition evaluation time in seconds, split by authorizer type and name.',
      labels: ['type', 'name'],
      buckets: CONDITION_SECONDS,
    }),
    reloads: registry.counter({
      name: 'apiserver_authorization_config_controller_automatic_reloads_total',
      help: 'Total number of automatic reloads of authorization configuration split by status and apiserver identity.',
      labels: ['status', 'apiserver_id_hash'],
    }),
    lastReload: registry.gauge({
      name: 'apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds',
      help: 'Timestamp of the last automatic reload of authorization configuration split by status and apiserver identity.',
      labels: ['status', 'apiserver_id_hash'],
    }),
  };
}

export type AuthorizationMetrics = ReturnType<typeof authorizationMetrics>;
