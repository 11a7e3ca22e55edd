import { bool, duration, list, type OptionsOf, pair, repeated, text } from './flag.ts';

export const AUTHENTICATION = {
  anonymousAuth: bool(
    true,
    'Accept requests without credentials as user system:anonymous of group system:unauthenticated.',
  ),
  apiAudiences: list(
    [],
    'Audiences of this API: service account tokens must have one of them. Default: the service account issuers.',
  ),
  authenticationConfig: text(
    '',
    'AuthenticationConfiguration file: token issuers and anonymous access. Excludes the --oidc-* flags.',
  ),
  authenticationTokenWebhookCacheTtl: duration(
    '2m',
    'Time to live of cached responses of the token webhook.',
  ),
  authenticationTokenWebhookConfigFile: text('', 'Kubeconfig of the webhook that reviews bearer tokens.'),
  authenticationTokenWebhookVersion: text(
    'v1beta1',
    'API version of TokenReview in requests to the webhook: v1 or v1beta1.',
  ),
  clientCaFile: text(
    '',
    'CA bundle for client certificates: the common name is the user, organizations are groups.',
  ),
  enableBootstrapTokenAuth: bool(
    false,
    'Accept bootstrap tokens: secrets of type bootstrap.kubernetes.io/token in kube-system.',
  ),
  oidcCaFile: text('', 'CA bundle of the OpenID issuer; default: the CAs of the system.'),
  oidcClientId: text('', 'Required audience of OpenID tokens.'),
  oidcGroupsClaim: text('', 'Claim with the groups of the user.'),
  oidcGroupsPrefix: text('', 'Prefix of all groups from the token.'),
  oidcIssuerUrl: text('', 'URL of the OpenID issuer; https only.'),
  oidcRequiredClaim: pair([], 'Required claim of a token, as key=value. Repeatable.'),
  oidcSigningAlgs: list(
    ['RS256'],
    'Accepted signature algorithms: RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384, PS512.',
  ),
  oidcUsernameClaim: text('sub', 'Claim with the user name.'),
  oidcUsernamePrefix: text(
    '',
    'Prefix of the user name; - for none. Default: the issuer and #, unless the claim is email.',
  ),
  requestheaderAllowedNames: list(
    [],
    'Common names of client certificates of authenticating proxies; empty: any certificate of the CA.',
  ),
  requestheaderClientCaFile: text('', 'CA bundle for client certificates of authenticating proxies.'),
  requestheaderExtraHeadersPrefix: list(
    [],
    'Prefixes of headers with extra attributes; usually X-Remote-Extra-.',
  ),
  requestheaderGroupHeaders: list([], 'Headers with groups; usually X-Remote-Group.'),
  requestheaderUidHeaders: list(
    [],
    'Headers with the uid; usually X-Remote-Uid. Needs the gate RemoteRequestHeaderUID.',
  ),
  requestheaderUsernameHeaders: list([], 'Headers with the user name; usually X-Remote-User.'),
  serviceAccountExtendTokenExpiration: bool(
    true,
    'Extend the lifetime of pod tokens from an hour to a year, for old clients that never reload them.',
  ),
  serviceAccountIssuer: repeated(
    [],
    'Issuer of service account tokens. Repeatable: the first one issues tokens, all are accepted. Default: https://kubernetes.default.svc.cluster.local',
  ),
  serviceAccountJwksUri: text('', 'URI of the key set in the OpenID discovery document.'),
  serviceAccountKeyFile: repeated(
    [],
    'Public keys, private keys or certificates that verify service account tokens. Repeatable. Default: the signing key and --tls-private-key-file.',
  ),
  serviceAccountLookup: bool(true, 'Accept a service account token only while its account exists.'),
  serviceAccountMaxTokenExpiration: duration(
    '0',
    'Maximum lifetime of a token; longer requests are shortened. At least one hour.',
  ),
  tokenAuthFile: text('', 'CSV file of static bearer tokens: token,user,uid,"group1,group2"'),
};

export type AuthenticationOptions = OptionsOf<typeof AUTHENTICATION>;

export const AUTHORIZATION = {
  authorizationConfig: text(
    '',
    'AuthorizationConfiguration file. Excludes --authorization-mode and --authorization-webhook-*.',
  ),
  authorizationMode: list(
    [],
    'Authorizers in order: RBAC, Node, Webhook, ABAC, AlwaysAllow, AlwaysDeny. Default: RBAC.',
  ),
  authorizationPolicyFile: text('', 'Policy of mode ABAC, one JSON object per line.'),
  authorizationWebhookCacheAuthorizedTtl: duration(
    '5m',
    "Time to live of cached 'allowed' decisions of the webhook.",
  ),
  authorizationWebhookCacheUnauthorizedTtl: duration(
    '30s',
    "Time to live of cached 'denied' decisions of the webhook.",
  ),
  authorizationWebhookConfigFile: text('', 'Kubeconfig of the webhook of mode Webhook.'),
  authorizationWebhookVersion: text(
    'v1beta1',
    'API version of SubjectAccessReview in requests to the webhook: v1 or v1beta1.',
  ),
};

export type AuthorizationOptions = OptionsOf<typeof AUTHORIZATION>;
