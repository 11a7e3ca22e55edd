import type { FeatureGates } from '../feature-gates.ts';
import type { FlagValues, OptionName } from '../flags/table.ts';

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
  values: FlagValues,
  modes: readonly string[],
  given: ReadonlySet<OptionName>,
  gates: FeatureGates,
): string[] {
  const faults: string[] = [];
  if (gates.enabled('AuthorizeNodeWithSelectors') && !gates.enabled('AuthorizeWithSelectors')) {
    faults.push('AuthorizeNodeWithSelectors feature requires AuthorizeWithSelectors feature to be enabled');
  }
  if (values.authorizationConfig !== '') {
    if (EXCLUDED_BY_FILE.some((option) => given.has(option))) {
      faults.push(
        '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
      );
    }
    return faults;
  }
  if (modes.length === 0) faults.push('at least one authorization-mode must be passed');
  const has = (mode: AuthorizationMode) => modes.includes(mode);
  for (const mode of modes)
    if (!(AUTHORIZATION_MODES as readonly string[]).includes(mode))
      faults.push(`authorization-mode ${JSON.stringify(mode)} is not a valid mode`);
  if (has('ABAC') && values.authorizationPolicyFile === '')
    faults.push("authorization-mode ABAC's authorization policy file not passed");
  if (has('Webhook') && values.authorizationWebhookConfigFile === '')
    faults.push("authorization-mode Webhook's authorization config file not passed");
  if (!has('ABAC') && values.authorizationPolicyFile !== '')
    faults.push('cannot specify --authorization-policy-file without mode ABAC');
  if (!has('Webhook') && values.authorizationWebhookConfigFile !== '')
    faults.push('cannot specify --authorization-webhook-config-file without mode Webhook');
  if (new Set(modes).size < modes.length)
    faults.push(
      `authorization-mode [${modes.map((mode) => JSON.stringify(mode)).join(' ')}] has mode specified more than once`,
    );
  return faults;
}
