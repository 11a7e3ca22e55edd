import { bool, duration, list, pair, repeated, text } from './flag.ts';

export const AUTHENTICATION = {
  anonymousAuth: bool(
    true,
    'Let requests without credentials in as system:anonymous, in the group system:unauthenticated.',
  ),
  apiAudiences: list(
    [],
    'Audiences of this API: service account tokens must be for one of them. Default: the service account issuers.',
  ),
  authenticationConfig: text(
    '',
    'AuthenticationConfiguration file: token issuers, and who may be anonymous. Excludes the --oidc-* flags.',
  ),
  authenticationTokenWebhookCacheTtl: duration('2m', 'Time that answers of the token webhook are kept.'),
  authenticationTokenWebhookConfigFile: text(
    '',
    'Kubeconfig of the webhook that bearer tokens are sent to for review.',
  ),
  authenticationTokenWebhookVersion: text(
    'v1beta1',
    'Version of TokenReview spoken with the webhook: v1 or v1beta1.',
  ),
  clientCaFile: text(
    '',
    'Certificate authorities whose client certificates are accepted: the common name is the user, organizations are groups.',
  ),
  enableBootstrapTokenAuth: bool(
    false,
    'Accept bootstrap tokens: secrets of type bootstrap.kubernetes.io/token in kube-system.',
  ),
  oidcCaFile: text('', 'Certificate authorities of the OpenID issuer; default: those of the system.'),
  oidcClientId: text('', 'Audience that OpenID tokens must be for.'),
  oidcGroupsClaim: text('', 'Claim that names the groups of the user.'),
  oidcGroupsPrefix: text('', 'Prefix of all groups from the token.'),
  oidcIssuerUrl: text('', 'URL of the OpenID issuer; https only.'),
  oidcRequiredClaim: pair([], 'Claim and value that a token must have, as key=value. Repeatable.'),
  oidcSigningAlgs: list(
    ['RS256'],
    'Signature algorithms accepted: RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384, PS512.',
  ),
  oidcUsernameClaim: text('sub', 'Claim that names the user.'),
  oidcUsernamePrefix: text(
    '',
    'Prefix of the user name; - for none. Default: the issuer and #, unless the claim is email.',
  ),
  requestheaderAllowedNames: list(
    [],
    'Common names of proxies that may name the user in headers; none given: every certificate of the authority.',
  ),
  requestheaderClientCaFile: text(
    '',
    'Certificate authorities of proxies that may name the user in headers.',
  ),
  requestheaderExtraHeadersPrefix: list(
    [],
    'Prefixes of headers that carry extra attributes; usually X-Remote-Extra-.',
  ),
  requestheaderGroupHeaders: list([], 'Headers that name groups; usually X-Remote-Group.'),
  requestheaderUidHeaders: list(
    [],
    'Headers that carry the uid; usually X-Remote-Uid. Needs the gate RemoteRequestHeaderUID.',
  ),
  requestheaderUsernameHeaders: list([], 'Headers that name the user; usually X-Remote-User.'),
  serviceAccountExtendTokenExpiration: bool(
    true,
    'Give the tokens of pods a year instead of an hour, so that old clients that never reload them go on working.',
  ),
  serviceAccountIssuer: repeated(
    [],
    'Issuer of service account tokens. Repeatable: the first issues, all are accepted. Default: https://kubernetes.default.svc.cluster.local',
  ),
  serviceAccountJwksUri: text('', 'URI of the key set named in the OpenID discovery document.'),
  serviceAccountKeyFile: repeated(
    [],
    'Public keys, private keys or certificates that service account tokens are verified with. Repeatable. Default: the signing key and --tls-private-key-file.',
  ),
  serviceAccountLookup: bool(true, 'Accept a service account token only while its account exists.'),
  serviceAccountMaxTokenExpiration: duration(
    '0',
    'Longest life of a token; longer ones asked for are cut. At least one hour.',
  ),
  tokenAuthFile: text('', 'CSV file of static bearer tokens: token,user,uid,"group1,group2"'),
};

export const AUTHORIZATION = {
  authorizationConfig: text(
    '',
    'AuthorizationConfiguration file. Excludes --authorization-mode and --authorization-webhook-*.',
  ),
  authorizationMode: list(
    [],
    'Authorizers in order: RBAC, Node, Webhook, ABAC, AlwaysAllow, AlwaysDeny. Default: RBAC.',
  ),
  authorizationPolicyFile: text('', 'Policy of the mode ABAC, one JSON object a line.'),
  authorizationWebhookCacheAuthorizedTtl: duration('5m', "Time that the webhook's consent is kept."),
  authorizationWebhookCacheUnauthorizedTtl: duration('30s', "Time that the webhook's refusal is kept."),
  authorizationWebhookConfigFile: text('', 'Kubeconfig of the webhook of the mode Webhook.'),
  authorizationWebhookVersion: text(
    'v1beta1',
    'Version of SubjectAccessReview spoken with the webhook: v1 or v1beta1.',
  ),
};
