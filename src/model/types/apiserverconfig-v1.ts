import type { Declarations } from '../declare.ts';

export default {
  family: 'apiserverconfig_v1',
  group: 'apiserver.config.k8s.io',
  version: 'v1',
  unpublished: true,
  types: `
AESConfiguration
  keys - []Key shown

AdmissionConfiguration kind
  plugins - []AdmissionPluginConfiguration shown

AdmissionPluginConfiguration
  name - string shown
  path - string shown
  configuration - *runtime.Unknown shown

AnonymousAuthCondition since=1.34
  path - string shown

AnonymousAuthConfig since=1.34
  enabled - boolean shown
  conditions - []AnonymousAuthCondition

AuthenticationConfiguration typeMeta since=1.34
  jwt - []JWTAuthenticator shown
  anonymous - *AnonymousAuthConfig

AuthorizationConfiguration kind
  authorizers - []AuthorizerConfiguration shown

AuthorizerConfiguration
  type - string shown
  name - string shown
  webhook - *WebhookConfiguration

ClaimMappings since=1.34
  username - PrefixedClaimOrExpression
  groups - PrefixedClaimOrExpression
  uid - ClaimOrExpression
  extra - []ExtraMapping

ClaimOrExpression since=1.34
  claim - string
  expression - string

ClaimValidationRule since=1.34
  claim - string
  requiredValue - string
  expression - string
  message - string

EncryptionConfiguration kind
  resources - []ResourceConfiguration shown

ExtraMapping since=1.34
  key - string shown
  valueExpression - string shown

IdentityConfiguration

Issuer since=1.34
  url - string shown
  discoveryURL - *string
  certificateAuthority - string
  audiences - []string shown
  audienceMatchPolicy - string
  egressSelectorType - string

JWTAuthenticator since=1.34
  issuer - Issuer
  claimValidationRules - []ClaimValidationRule
  claimMappings - ClaimMappings
  userValidationRules - []UserValidationRule

KMSConfiguration
  apiVersion - string shown
  name - string shown
  cachesize - *int32
  endpoint - string shown
  timeout - *meta_v1.Duration

Key
  name - string shown
  secret - string shown

PrefixedClaimOrExpression since=1.34
  claim - string
  prefix - *string
  expression - string

ProviderConfiguration
  aesgcm - *AESConfiguration
  aescbc - *AESConfiguration
  secretbox - *SecretboxConfiguration
  identity - *IdentityConfiguration
  kms - *KMSConfiguration

ResourceConfiguration
  resources - []string shown
  providers - []ProviderConfiguration shown

SecretboxConfiguration
  keys - []Key shown

TracingConfiguration typeMeta since=1.34
  tracingConfiguration - componentbase_tracing_v1.TracingConfiguration inline

UserValidationRule since=1.34
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
