import type { createWebhookAuthorizer as CreateWebhookAuthorizer } from '../authorization/webhook/index.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { inClusterConfig } from '../kubeconfig/in-cluster.ts';
import { readClientConfig } from '../kubeconfig/read-kubeconfig.ts';
import { emptyMetadata } from '../model/empty-metadata.ts';
import type { Scheme } from '../model/scheme.ts';
import type { AuthorizationMetrics } from '../observability/metrics-authorization.ts';
import type { ConfiguredAuthorizer } from '../options/documents/authorization.ts';
import type { Egress } from '../outbound/egress.ts';
import { OutboundClient } from '../outbound/outbound-client.ts';
import type { Authorizer } from '../request/attributes.ts';
import { processClock } from '../time/clock.ts';

/** Loaded only if webhooks are configured: it contains the expression engine. */
type WebhookModule = typeof import('../authorization/webhook/index.ts');

/** The authorizer of a webhook, and a function that closes its connections. */
export interface ConnectedWebhook {
  readonly authorizer: ReturnType<typeof CreateWebhookAuthorizer>;
  close(): void;
}

const VERSIONS: readonly string[] = ['v1', 'v1beta1'];

/**
 * Creates the authorizer of one configured webhook.
 * @throws ConfigurationError if its kubeconfig is unusable
 */
export function connectWebhook(
  module: WebhookModule,
  { name, webhook }: ConfiguredAuthorizer,
  metrics: AuthorizationMetrics,
  egress: Egress,
  { release, types }: Scheme,
): ConnectedWebhook {
  const {
    timeout,
    authorizedTtl,
    unauthorizedTtl,
    reviewVersion,
    failurePolicy,
    kubeconfigFile,
    conditions,
  } = webhook!;
  if (!VERSIONS.includes(reviewVersion))
    throw new ConfigurationError(
      `unsupported webhook authorizer version ${JSON.stringify(reviewVersion)}, supported versions are "v1", "v1beta1"`,
    );
  const client = module.createAccessReviewClient({
    endpoint: kubeconfigFile === undefined ? inClusterConfig() : readClientConfig(kubeconfigFile),
    client: new OutboundClient({ egress }),
    timeout,
    version: reviewVersion as 'v1' | 'v1beta1',
    metadata: emptyMetadata(types),
    userAgent: `kube-apiserver/${release.gitVersion}`,
    observe(result, seconds) {
      metrics.evaluations.with(name, result).add();
      metrics.duration.with(name, result).observe(seconds);
    },
  });
  const authorizer: Authorizer = module.createWebhookAuthorizer({
    name,
    client,
    matcher: module.createMatcher(conditions),
    authorizedTtl,
    unauthorizedTtl,
    failurePolicy,
    now: processClock.monotonic,
    observer: {
      matched(result, seconds) {
        metrics.conditionSeconds.with('Webhook', name).observe(seconds);
        if (result === 'excluded') metrics.conditionExclusions.with('Webhook', name).add();
        if (result === 'error') metrics.conditionErrors.with('Webhook', name).add();
      },
      failedOpen: (result) => metrics.failedOpen.with(name, result).add(),
    },
  });
  return { authorizer, close: () => client.close() };
}
