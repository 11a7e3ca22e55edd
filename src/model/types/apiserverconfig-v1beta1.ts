import type { Declarations } from '../declare.ts';

export default {
  family: 'apiserverconfig_v1beta1',
  group: 'apiserver.config.k8s.io',
  version: 'v1beta1',
  unpublished: true,
  types: `
AnonymousAuthCondition
  path - string shown

AnonymousAuthConfig
  enabled - boolean shown
  conditions - []AnonymousAuthCondition

AuthenticationConfiguration kind
  jwt - []JWTAuthenticator shown
  anonymous - *AnonymousAuthConfig

AuthorizationConfiguration kind
  authorizers - []AuthorizerConfiguration shown

AuthorizerConfiguration
  type - string shown
  name - string shown
  webhook - *WebhookConfiguration

ClaimMappings
  username - PrefixedClaimOrExpression
  groups - PrefixedClaimOrExpression
  uid - ClaimOrExpression
  extra - []ExtraMapping

ClaimOrExpression
  claim - string
  expression - string

ClaimValidationRule
  claim - string
  requiredValue - string
  expression - string
  message - string

Connection
  proxyProtocol - string
  transport - *Transport

EgressSelection
  name - string shown
  connection - Connection

EgressSelectorConfiguration kind
  egressSelections - []EgressSelection shown

ExtraMapping
  key - string shown
  valueExpression - string shown

Issuer
  url - string shown
  discoveryURL - *string
  certificateAuthority - string
  audiences - []string shown
  audienceMatchPolicy - string
  egressSelectorType - string since=1.34

JWTAuthenticator
  issuer - Issuer
  claimValidationRules - []ClaimValidationRule
  claimMappings - ClaimMappings
  userValidationRules - []UserValidationRule

PrefixedClaimOrExpression
  claim - string
  prefix - *string
  expression - string

TCPTransport
  url - string
  tlsConfig - *TLSConfig

TLSConfig
  caBundle - string
  clientKey - string
  clientCert - string
  tlsServerName - string since=1.36

TracingConfiguration kind
  tracingConfiguration - componentbase_tracing_v1.TracingConfiguration inline

Transport
  tcp - *TCPTransport
  uds - *UDSTransport

UDSTransport
  udsName - string

UserValidationRule
  expression - string shown
  message - string

WebhookConfiguration
  authorizedTTL - meta_v1.Duration
  unauthorizedTTL - meta_v1.Duration
  timeout - meta_v1.Duration
  subjectAccessReviewVersion - string shown
  matchConditionSubjectAccessReviewVersion - string shown
  failurePolicy - string shown
  connectionInfo - WebhookConnectionInfo
  matchConditions - []WebhookMatchCondition shown
  cacheAuthorizedRequests - *boolean since=1.34
  cacheUnauthorizedRequests - *boolean since=1.34

WebhookConnectionInfo
  type - string shown
  kubeConfigFile - *string shown

WebhookMatchCondition
  expression - string shown
`,
} satisfies Declarations;
