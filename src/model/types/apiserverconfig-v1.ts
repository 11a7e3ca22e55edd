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

AuthorizationConfiguration kind
  authorizers - []AuthorizerConfiguration shown

AuthorizerConfiguration
  type - string shown
  name - string shown
  webhook - *WebhookConfiguration

EncryptionConfiguration kind
  resources - []ResourceConfiguration shown

IdentityConfiguration

KMSConfiguration
  apiVersion - string shown
  name - string shown
  cachesize - *int32
  endpoint - string shown
  timeout - *meta_v1.Duration

Key
  name - string shown
  secret - string shown

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

WebhookConfiguration
  authorizedTTL - meta_v1.Duration
  unauthorizedTTL - meta_v1.Duration
  timeout - meta_v1.Duration
  subjectAccessReviewVersion - string shown
  matchConditionSubjectAccessReviewVersion - string shown
  failurePolicy - string shown
  connectionInfo - WebhookConnectionInfo
  matchConditions - []WebhookMatchCondition shown

WebhookConnectionInfo
  type - string shown
  kubeConfigFile - *string shown

WebhookMatchCondition
  expression - string shown
`,
} satisfies Declarations;
