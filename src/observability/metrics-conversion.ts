import { exponential } from './buckets.ts';
import type { MetricsRegistry } from './metrics.ts';

const CALL_SECONDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60];
/** From a millisecond to 16 seconds. */
const CONVERSION_SECONDS = exponential(0.001, 2, 15);

/** Metrics of conversion webhooks; labels are in the order in which callers pass their values. */
export function conversionMetrics(registry: MetricsRegistry) {
  return {
    conversionCalls: registry.counter({
      name: 'apiserver_conversion_webhook_request_total',
      help: 'Counter for conversion webhook requests with success/failure and failure error type',
      labels: ['result', 'failure_type'],
    }),
    conversionCallDuration: registry.histogram({
      name: 'apiserver_conversion_webhook_duration_seconds',
      help: 'Conversion webhook request latency',
      labels: ['result', 'failure_type'],
      buckets: CALL_SECONDS,
    }),
    conversionDuration: registry.histogram({
      name: 'apiserver_crd_conversion_webhook_duration_seconds',
      help: 'CRD webhook conversion duration in seconds',
      labels: ['crd_name', 'from_version', 'to_version', 'succeeded'],
      buckets: CONVERSION_SECONDS,
    }),
  };
}

export type ConversionMetrics = ReturnType<typeof conversionMetrics>;
