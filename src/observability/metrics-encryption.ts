import { exponential } from './buckets.ts';
import type { MetricsRegistry } from './metrics.ts';

/** From five microseconds to 84 seconds. */
const TRANSFORMATION_SECONDS = exponential(5e-6, 2, 25);

/** From a tenth of a millisecond to 52 seconds. */
const CALL_SECONDS = exponential(0.0001, 2, 20);
/** From five microseconds to 41 milliseconds. */
const GENERATION_SECONDS = TRANSFORMATION_SECONDS.slice(0, 14);

function keyServiceMetrics(registry: MetricsRegistry) {
  return {
    cacheMisses: registry.counter({
      name: 'apiserver_storage_envelope_transformation_cache_misses_total',
      help: 'Total number of cache misses while accessing key decryption key(KEK).',
    }),
    keyGeneration: registry.histogram({
      name: 'apiserver_storage_data_key_generation_duration_seconds',
      help: 'Latencies in seconds of data encryption key(DEK) generation operations.',
      buckets: GENERATION_SECONDS,
    }),
    sourceCacheSize: registry.gauge({
      name: 'apiserver_envelope_encryption_dek_source_cache_size',
      help: 'Number of records in data encryption key (DEK) source cache. On a restart, this value is an approximation of the number of decrypt RPC calls the server will make to the KMS plugin.',
      labels: ['provider_name'],
    }),
    keyIds: registry.counter({
      name: 'apiserver_envelope_encryption_key_id_hash_total',
      help: 'Number of times a keyID is used split by transformation type, provider, and apiserver identity.',
      labels: ['transformation_type', 'provider_name', 'key_id_hash', 'apiserver_id_hash'],
    }),
    keyIdTimes: registry.gauge({
      name: 'apiserver_envelope_encryption_key_id_hash_last_timestamp_seconds',
      help: 'The last time in seconds when a keyID was used.',
      labels: ['transformation_type', 'provider_name', 'key_id_hash', 'apiserver_id_hash'],
    }),
    statusKeyIdTimes: registry.gauge({
      name: 'apiserver_envelope_encryption_key_id_hash_status_last_timestamp_seconds',
      help: 'The last time in seconds when a keyID was returned by the Status RPC call.',
      labels: ['provider_name', 'key_id_hash', 'apiserver_id_hash'],
    }),
    invalidStatusKeyIds: registry.counter({
      name: 'apiserver_envelope_encryption_invalid_key_id_from_status_total',
      help: 'Number of times an invalid keyID is returned by the Status RPC call split by error.',
      labels: ['provider_name', 'error'],
    }),
    keyServiceCalls: registry.histogram({
      name: 'apiserver_envelope_encryption_kms_operations_latency_seconds',
      help: 'KMS operation duration with gRPC error code status total.',
      labels: ['provider_name', 'method_name', 'grpc_status_code'],
      buckets: CALL_SECONDS,
    }),
  };
}

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
    ...keyServiceMetrics(registry),
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
