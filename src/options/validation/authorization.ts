import { quoteList } from '../../errors/quote.ts';
import type { FeatureGates } from '../feature-gates.ts';
import type { AuthorizationOptions } from '../flags/access.ts';
import type { OptionName } from '../flags/table.ts';

export const AUTHORIZATION_MODES = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'] as const;
export type AuthorizationMode = (typeof AUTHORIZATION_MODES)[number];

const EXCLUDED_BY_FILE = [
  'authorizationMode',
  'authorizationWebhookConfigFile',
  'authorizationWebhookVersion',
  'authorizationWebhookCacheAuthorizedTtl',
  'authorizationWebhookCacheUnauthorizedTtl',
] as const;

/** Validates the authorization flags. `modes` are the effective ones, including the default. */
export function validateAuthorization(
  values: AuthorizationOptions,
  modes: readonly string[],
  given: ReadonlySet<OptionName>,
  gates: FeatureGates,
): string[] {
  const problems: string[] = [];
  if (gates.enabled('AuthorizeNodeWithSelectors') && !gates.enabled('AuthorizeWithSelectors')) {
    problems.push('AuthorizeNodeWithSelectors feature requires AuthorizeWithSelectors feature to be enabled');
  }
  if (values.authorizationConfig !== '') {
    if (EXCLUDED_BY_FILE.some((option) => given.has(option))) {
      problems.push(
        '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
      );
    }
    return problems;
  }
  const has = (mode: AuthorizationMode) => modes.includes(mode);
  for (const mode of modes)
    if (!(AUTHORIZATION_MODES as readonly string[]).includes(mode))
      problems.push(`authorization-mode ${JSON.stringify(mode)} is not a valid mode`);
  if (has('ABAC') && values.authorizationPolicyFile === '')
    problems.push("authorization-mode ABAC's authorization policy file not passed");
  if (has('Webhook') && values.authorizationWebhookConfigFile === '')
    problems.push("authorization-mode Webhook's authorization config file not passed");
  if (!has('ABAC') && values.authorizationPolicyFile !== '')
    problems.push('cannot specify --authorization-policy-file without mode ABAC');
  if (!has('Webhook') && values.authorizationWebhookConfigFile !== '')
    problems.push('cannot specify --authorization-webhook-config-file without mode Webhook');
  if (new Set(modes).size < modes.length)
    problems.push(`authorization-mode ${quoteList(modes)} has mode specified more than once`);
  return problems;
}
