import type { MetricsRegistry } from './metrics.ts';

const WEBHOOK_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25];
/** Milliseconds: five hours. */
const SUMMARY_AGE = 5 * 60 * 60 * 1000;
/** Buckets of the phases and controllers of admission. */
export const ADMISSION_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const CONDITION_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

/** Metrics of match conditions of webhooks and policies. */
export type AdmissionMatchMetrics = Pick<
  WebhookMetrics,
  'matchConditionDuration' | 'matchConditionErrors' | 'matchConditionExclusions'
>;

/** Metrics of the two phases of admission; labels are in the order in which callers pass their values. */
export function stepMetrics(registry: MetricsRegistry) {
  const labels = ['type', 'operation', 'rejected'];
  const text = (kind: string): string =>
    `Admission sub-step latency ${kind} in seconds, broken out for each operation and API resource and step type (validate or admit).`;
  return {
    stepDuration: registry.histogram({
      name: 'apiserver_admission_step_admission_duration_seconds',
      help: text('histogram'),
      stability: 'STABLE',
      labels,
      buckets: ADMISSION_SECONDS,
    }),
    stepSummary: registry.summary(
      {
        name: 'apiserver_admission_step_admission_duration_seconds_summary',
        help: text('summary'),
        labels,
      },
      SUMMARY_AGE,
    ),
  };
}

/** Metrics of admission webhooks; labels are in the order in which callers pass their values. */
export function webhookMetrics(registry: MetricsRegistry) {
  return {
    webhookDuration: registry.histogram({
      name: 'apiserver_admission_webhook_admission_duration_seconds',
      help: 'Admission webhook latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
      stability: 'STABLE',
      labels: ['name', 'type', 'operation', 'rejected'],
      buckets: WEBHOOK_SECONDS,
    }),
    webhookRejections: registry.counter({
      name: 'apiserver_admission_webhook_rejection_count',
      help: 'Admission webhook rejection count, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify an error type (calling_webhook_error or apiserver_internal_error if an error occurred; no_error otherwise) and optionally a non-zero rejection code if the webhook rejects the request with an HTTP status code (honored by the apiserver when the code is greater or equal to 400). Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.',
      labels: ['name', 'type', 'operation', 'error_type', 'rejection_code'],
    }),
    webhookFailedOpen: registry.counter({
      name: 'apiserver_admission_webhook_fail_open_count',
      help: 'Admission webhook fail open count, identified by name and broken out for each admission type (validating or admit).',
      labels: ['name', 'type'],
    }),
    webhookRequests: registry.counter({
      name: 'apiserver_admission_webhook_request_total',
      help: 'Admission webhook request total, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify whether the request was rejected or not and an HTTP status code. Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.',
      labels: ['name', 'type', 'operation', 'code', 'rejected'],
    }),
    matchConditionDuration: registry.histogram({
      name: 'apiserver_admission_match_condition_evaluation_seconds',
      help: 'Admission match condition evaluation time in seconds, identified by name and broken out for each kind containing matchConditions (webhook or policy), operation and type (validate or admit).',
      labels: ['kind', 'name', 'operation', 'type'],
      buckets: CONDITION_SECONDS,
    }),
    matchConditionErrors: registry.counter({
      name: 'apiserver_admission_match_condition_evaluation_errors_total',
      help: 'Admission match condition evaluation errors count, identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).',
      labels: ['kind', 'name', 'operation', 'type'],
    }),
    matchConditionExclusions: registry.counter({
      name: 'apiserver_admission_match_condition_exclusions_total',
      help: 'Admission match condition evaluation exclusions count, identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).',
      labels: ['kind', 'name', 'operation', 'type'],
    }),
  };
}

export type WebhookMetrics = ReturnType<typeof webhookMetrics>;
