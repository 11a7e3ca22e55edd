import { cacheTokenAuthenticator } from '../authentication/token-cache.ts';
import { webhookTokenAuthenticator } from '../authentication/token-webhook.ts';
import { readClientConfig } from '../kubeconfig/read-kubeconfig.ts';
import { emptyMetadata } from '../model/empty-metadata.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { Egress } from '../outbound/egress.ts';
import { OutboundClient } from '../outbound/outbound-client.ts';
import { WEBHOOK_BACKOFF } from '../outbound/retries.ts';
import { createReviewClient } from '../outbound/review-client.ts';
import type { TokenAuthenticator } from '../request/authenticator.ts';
import { processClock } from '../time/clock.ts';

const TIMEOUT_MILLISECONDS = 30_000;

/** The options of the token webhook. */
export type TokenWebhookOptions = OptionSlice<
  | 'authenticationTokenWebhookCacheTtl'
  | 'authenticationTokenWebhookConfigFile'
  | 'authenticationTokenWebhookVersion'
>;

/**
 * Creates the webhook of `--authentication-token-webhook-config-file` with its cache. @throws
 * ConfigurationError
 */
export function createTokenWebhook(
  { values, apiAudiences, scheme }: Configuration<TokenWebhookOptions>,
  egress: Egress,
): {
  authenticator: TokenAuthenticator;
  stop: () => void;
} {
  const endpoint = readClientConfig(values.authenticationTokenWebhookConfigFile);
  const client = createReviewClient({
    endpoint,
    client: new OutboundClient({ egress }),
    timeout: TIMEOUT_MILLISECONDS,
    backoff: WEBHOOK_BACKOFF,
  });
  const version = values.authenticationTokenWebhookVersion === 'v1' ? 'v1' : 'v1beta1';
  const webhook = webhookTokenAuthenticator({
    client,
    version,
    audiences: apiAudiences,
    metadata: emptyMetadata(scheme.types),
  });
  const lifetime = values.authenticationTokenWebhookCacheTtl;
  return {
    authenticator: cacheTokenAuthenticator(webhook, { lifetime, now: processClock.monotonic }),
    stop: () => client.close(),
  };
}
