import type { MetricsRegistry } from './metrics.ts';

/** From five microseconds to 84 seconds. */
const TRANSFORMATION_SECONDS = Array.from({ length: 25 }, (_, index) => 5e-6 * 2 ** index);

/** Metrics of encryption at rest; labels are in the order in which callers pass their values. */
export function encryptionMetrics(registry: MetricsRegistry) {
  return {
    transformations: registry.counter({
      name: 'apiserver_storage_transformation_operations_total',
      help: "Total number of transformations. Successful transformation will have a status 'OK' and a varied status string when the transformation fails. The status, resource, and transformation_type fields can be used for alerting purposes. For example, you can monitor for encryption/decryption failures using the transformation_type (e.g., from_storage for decryption and to_storage for encryption). Additionally, these fields can be used to ensure that the correct transformers are applied to each resource.",
      labels: ['resource', 'transformation_type', 'transformer_prefix', 'status'],
    }),
    transformationDuration: registry.histogram({
      name: 'apiserver_storage_transformation_duration_seconds',
      help: 'Latencies in seconds of value transformation operations.',
      labels: ['transformation_type', 'transformer_prefix'],
      buckets: TRANSFORMATION_SECONDS,
    }),
    reloads: registry.counter({
      name: 'apiserver_encryption_config_controller_automatic_reloads_total',
      help: 'Total number of reload successes and failures of encryption configuration split by apiserver identity.',
      labels: ['status', 'apiserver_id_hash'],
    }),
    reloadFailures: registry.counter({
      name: 'apiserver_encryption_config_controller_automatic_reload_failures_total',
      help: 'Total number of failed automatic reloads of encryption configuration split by apiserver identity.',
      labels: ['apiserver_id_hash'],
      deprecatedSince: '1.30.0',
    }),
    reloadSuccesses: registry.counter({
      name: 'apiserver_encryption_config_controller_automatic_reload_success_total',
      help: 'Total number of successful automatic reloads of encryption configuration split by apiserver identity.',
      labels: ['apiserver_id_hash'],
      deprecatedSince: '1.30.0',
    }),
    lastReload: registry.gauge({
      name: 'apiserver_encryption_config_controller_automatic_reload_last_timestamp_seconds',
      help: 'Timestamp of the last successful or failed automatic reload of encryption configuration split by apiserver identity.',
      labels: ['status', 'apiserver_id_hash'],
    }),
  };
}

export type EncryptionMetrics = ReturnType<typeof encryptionMetrics>;
