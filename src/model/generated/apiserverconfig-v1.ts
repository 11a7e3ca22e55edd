// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type { RawJson } from '../object.ts';

export interface AESConfiguration {
  keys?: Key[];
}

export type AdmissionConfiguration = {
  apiVersion?: string;
  kind?: string;
  plugins?: AdmissionPluginConfiguration[];
};

export interface AdmissionPluginConfiguration {
  name?: string;
  path?: string;
  configuration?: RawJson;
}

export interface AnonymousAuthCondition {
  path?: string;
}

export interface AnonymousAuthConfig {
  enabled?: boolean;
  conditions?: AnonymousAuthCondition[];
}

export type AuthenticationConfiguration = {
  apiVersion?: string;
  kind?: string;
  jwt?: JWTAuthenticator[];
  anonymous?: AnonymousAuthConfig;
};

export type AuthorizationConfiguration = {
  apiVersion?: string;
  kind?: string;
  authorizers?: AuthorizerConfiguration[];
};

export interface AuthorizerConfiguration {
  type?: string;
  name?: string;
  webhook?: WebhookConfiguration;
}

export interface ClaimMappings {
  username?: PrefixedClaimOrExpression;
  groups?: PrefixedClaimOrExpression;
  uid?: ClaimOrExpression;
  extra?: ExtraMapping[];
}

export interface ClaimOrExpression {
  claim?: string;
  expression?: string;
}

export interface ClaimValidationRule {
  claim?: string;
  requiredValue?: string;
  expression?: string;
  message?: string;
}

export type EncryptionConfiguration = {
  apiVersion?: string;
  kind?: string;
  resources?: ResourceConfiguration[];
};

export interface ExtraMapping {
  key?: string;
  valueExpression?: string;
}

export type IdentityConfiguration = Record<string, never>;

export interface Issuer {
  url?: string;
  discoveryURL?: string;
  certificateAuthority?: string;
  audiences?: string[];
  audienceMatchPolicy?: string;
  egressSelectorType?: string;
}

export interface JWTAuthenticator {
  issuer?: Issuer;
  claimValidationRules?: ClaimValidationRule[];
  claimMappings?: ClaimMappings;
  userValidationRules?: UserValidationRule[];
}

export interface KMSConfiguration {
  apiVersion?: string;
  name?: string;
  cachesize?: number;
  endpoint?: string;
  timeout?: string;
}

export interface Key {
  name?: string;
  secret?: string;
}

export interface PrefixedClaimOrExpression {
  claim?: string;
  prefix?: string;
  expression?: string;
}

export interface ProviderConfiguration {
  aesgcm?: AESConfiguration;
  aescbc?: AESConfiguration;
  secretbox?: SecretboxConfiguration;
  identity?: IdentityConfiguration;
  kms?: KMSConfiguration;
}

export interface ResourceConfiguration {
  resources?: string[];
  providers?: ProviderConfiguration[];
}

export interface SecretboxConfiguration {
  keys?: Key[];
}

export type TracingConfiguration = {
  apiVersion?: string;
  kind?: string;
  endpoint?: string;
  samplingRatePerMillion?: number;
};

export interface UserValidationRule {
  expression?: string;
  message?: string;
}

export interface WebhookConfiguration {
  authorizedTTL?: string;
  unauthorizedTTL?: string;
  timeout?: string;
  subjectAccessReviewVersion?: string;
  matchConditionSubjectAccessReviewVersion?: string;
  failurePolicy?: string;
  connectionInfo?: WebhookConnectionInfo;
  matchConditions?: WebhookMatchCondition[];
  cacheAuthorizedRequests?: boolean;
  cacheUnauthorizedRequests?: boolean;
}

export interface WebhookConnectionInfo {
  type?: string;
  kubeConfigFile?: string;
}

export interface WebhookMatchCondition {
  expression?: string;
}
