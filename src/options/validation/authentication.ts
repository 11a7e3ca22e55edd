import type { FeatureGates } from '../feature-gates.ts';
import type { AuthenticationOptions } from '../flags/access.ts';
import type { FlagValues, OptionName } from '../flags/table.ts';
import { standardHeaderMissing } from '../warnings.ts';

type Options = AuthenticationOptions & Pick<FlagValues, 'serviceAccountSigningKeyFile'>;

const SIGNING_ALGORITHMS = new Set([
  'RS256',
  'RS384',
  'RS512',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
]);
const OIDC_OPTIONS = [
  'oidcIssuerUrl',
  'oidcClientId',
  'oidcCaFile',
  'oidcUsernameClaim',
  'oidcUsernamePrefix',
  'oidcGroupsClaim',
  'oidcGroupsPrefix',
  'oidcSigningAlgs',
  'oidcRequiredClaim',
] as const;
const HOUR_MILLISECONDS = 3_600_000;

/** Validates the authentication flags. */
export function validateAuthentication(
  values: Options,
  given: ReadonlySet<OptionName>,
  gates: FeatureGates,
): string[] {
  return [
    ...validateOpenId(values, given),
    ...validateServiceAccounts(values, given),
    ...validateRequestHeaders(values, gates),
    ...validateWebhook(values),
    ...validateFile(values, gates),
  ];
}

function validateOpenId(values: Options, given: ReadonlySet<OptionName>): string[] {
  if (!OIDC_OPTIONS.some((option) => given.has(option))) return [];
  if (given.has('authenticationConfig'))
    return ['authentication-config file and oidc-* flags are mutually exclusive'];
  if (values.oidcIssuerUrl === '' || values.oidcClientId === '')
    return ['oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set'];
  const unsupported = values.oidcSigningAlgs.find((algorithm) => !SIGNING_ALGORITHMS.has(algorithm));
  if (unsupported !== undefined) return [`oidc: unsupported signing alg: ${JSON.stringify(unsupported)}`];
  return [];
}

/**
 * Validates the service account flags. Without any of them the server generates a signing key. Once a key or
 * an issuer is set, all must be, as in kube-apiserver: otherwise nothing could verify the tokens.
 */
function validateServiceAccounts(values: Options, given: ReadonlySet<OptionName>): string[] {
  const problems: string[] = [];
  const {
    serviceAccountIssuer: issuers,
    serviceAccountJwksUri: keySetUri,
    serviceAccountMaxTokenExpiration: longest,
  } = values;
  issuers.forEach((issuer, index) => {
    if (issuer === '') problems.push('service-account-issuer should not be an empty string');
    else if (issuers.indexOf(issuer) < index)
      problems.push(`service-account-issuer ${JSON.stringify(issuer)} is already specified`);
    else if (issuer.includes(':') && !URL.canParse(issuer))
      problems.push(
        `service-account-issuer ${JSON.stringify(issuer)} contained a ':' but was not a valid URL`,
      );
  });
  const keysGiven = given.has('serviceAccountKeyFile') || given.has('serviceAccountSigningKeyFile');
  if (keysGiven && issuers.length === 0) problems.push('service-account-issuer is a required flag');
  if (
    keySetUri.startsWith(':') ||
    (/^[a-z]+:/i.test(keySetUri) && !/^https:/i.test(keySetUri) && !URL.canParse(keySetUri))
  )
    problems.push('service-account-jwks-uri must be a valid URL');
  else if (keySetUri !== '' && !keySetUri.toLowerCase().startsWith('https:'))
    problems.push(`service-account-jwks-uri requires https scheme, parsed as: ${keySetUri}`);
  if (keysGiven && (issuers.length === 0 || values.serviceAccountSigningKeyFile === '')) {
    problems.push(
      '--service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together',
    );
  }
  if (longest !== 0 && (longest < HOUR_MILLISECONDS || longest > 2 ** 32 * 1000))
    problems.push('the service-account-max-token-expiration must be between 1 hour and 2^32 seconds');
  return problems;
}

function validateRequestHeaders(values: Options, gates: FeatureGates): string[] {
  const lists = {
    'requestheader-username-headers': values.requestheaderUsernameHeaders,
    'requestheader-group-headers': values.requestheaderGroupHeaders,
    'requestheader-extra-headers-prefix': values.requestheaderExtraHeadersPrefix,
    'requestheader-allowed-names': values.requestheaderAllowedNames,
  };
  const problems = Object.entries(lists)
    .filter(([, list]) => list.some((entry) => entry.trim() === ''))
    .map(([flag]) => `empty value in ${JSON.stringify(flag)}`);
  const uidHeaders = values.requestheaderUidHeaders;
  if (uidHeaders.length === 0) return problems;
  if (!gates.enabled('RemoteRequestHeaderUID'))
    return [
      ...problems,
      '--requestheader-uid-headers requires the "RemoteRequestHeaderUID" feature to be enabled',
    ];
  if (uidHeaders.some((header) => header.trim() === ''))
    problems.push('empty value in "requestheader-uid-headers"');
  return [...problems, ...standardHeaderMissing(uidHeaders, 'uid-headers', 'X-Remote-Uid', 'header')];
}

function validateWebhook({
  authenticationTokenWebhookConfigFile: file,
  authenticationTokenWebhookVersion: version,
}: Options): string[] {
  if (file === '' || version === 'v1' || version === 'v1beta1') return [];
  return [
    `unsupported authentication webhook version ${JSON.stringify(version)}, supported versions are "v1", "v1beta1"`,
  ];
}

function validateFile({ authenticationConfig: file }: Options, gates: FeatureGates): string[] {
  if (file === '' || gates.enabled('StructuredAuthenticationConfiguration')) return [];
  return ['set --feature-gates=StructuredAuthenticationConfiguration=true to use authentication-config file'];
}
