import { DEFAULT_SECONDS, exponential } from './buckets.ts';
import type { MetricsRegistry } from './metrics.ts';

/** Authentication metrics; labels are in the order in which callers pass their values. */
export function authenticationMetrics(registry: MetricsRegistry) {
  return {
    authenticatedUsers: registry.counter({
      name: 'authenticated_user_requests',
      help: 'Counter of authenticated requests broken out by username.',
      labels: ['username'],
    }),
    authenticationAttempts: registry.counter({
      name: 'authentication_attempts',
      help: 'Counter of authenticated attempts.',
      labels: ['result'],
    }),
    authenticationDuration: registry.histogram({
      name: 'authentication_duration_seconds',
      help: 'Authentication duration in seconds broken out by result.',
      labels: ['result'],
      buckets: exponential(0.001, 2, 15),
    }),
    tokenCacheDuration: registry.histogram({
      name: 'authentication_token_cache_request_duration_seconds',
      help: '',
      labels: ['status'],
      buckets: DEFAULT_SECONDS,
    }),
    tokenCacheRequests: registry.counter({
      name: 'authentication_token_cache_request_total',
      help: '',
      labels: ['status'],
    }),
    tokenCacheFetches: registry.counter({
      name: 'authentication_token_cache_fetch_total',
      help: '',
      labels: ['status'],
    }),
    tokenCacheActive: registry.gauge({
      name: 'authentication_token_cache_active_fetch_count',
      help: '',
      labels: ['status'],
    }),
    issuerLatency: registry.histogram({
      name: 'apiserver_authentication_jwt_authenticator_latency_seconds',
      help: 'Latency of jwt authentication operations in seconds. This is the time spent authenticating a token for cache miss only (i.e. when the token is not found in the cache).',
      labels: ['result', 'jwt_issuer_hash'],
      buckets: [0.001, ...DEFAULT_SECONDS],
    }),
    authenticationReloads: registry.counter({
      name: 'apiserver_authentication_config_controller_automatic_reloads_total',
      help: 'Total number of automatic reloads of authentication configuration split by status and apiserver identity.',
      labels: ['status', 'apiserver_id_hash'],
    }),
    authenticationReloaded: registry.gauge({
      name: 'apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds',
      help: 'Timestamp of the last automatic reload of authentication configuration split by status and apiserver identity.',
      labels: ['status', 'apiserver_id_hash'],
    }),
    certificateExpiration: registry.histogram({
      name: 'apiserver_client_certificate_expiration_seconds',
      help: 'Distribution of the remaining lifetime on the certificate used to authenticate a request.',
      buckets: [
        0, 1800, 3600, 7200, 21_600, 43_200, 86_400, 172_800, 345_600, 604_800, 2_592_000, 7_776_000,
        15_552_000, 31_104_000,
      ],
    }),
    validAccountTokens: registry.counter({
      name: 'serviceaccount_valid_tokens_total',
      help: 'Cumulative valid projected service account tokens used',
    }),
    staleAccountTokens: registry.counter({
      name: 'serviceaccount_stale_tokens_total',
      help: 'Cumulative stale projected service account tokens used',
    }),
    generatedAccountTokens: registry.counter({
      name: 'serviceaccount_legacy_auto_token_uses_total',
      help: 'Cumulative auto-generated legacy tokens used',
    }),
    manualAccountTokens: registry.counter({
      name: 'serviceaccount_legacy_manual_token_uses_total',
      help: 'Cumulative manually created legacy tokens used',
    }),
    invalidatedAccountTokens: registry.counter({
      name: 'serviceaccount_invalid_legacy_auto_token_uses_total',
      help: 'Cumulative invalid auto-generated legacy tokens used',
    }),
    legacyAccountTokens: registry.counter({
      name: 'serviceaccount_legacy_tokens_total',
      help: 'Cumulative legacy service account tokens used',
    }),
  };
}
