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

export type EncryptionConfiguration = {
  apiVersion?: string;
  kind?: string;
  resources?: ResourceConfiguration[];
};

export type IdentityConfiguration = Record<string, never>;

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

export interface WebhookConfiguration {
  authorizedTTL?: string;
  unauthorizedTTL?: string;
  timeout?: string;
  subjectAccessReviewVersion?: string;
  matchConditionSubjectAccessReviewVersion?: string;
  failurePolicy?: string;
  connectionInfo?: WebhookConnectionInfo;
  matchConditions?: WebhookMatchCondition[];
}

export interface WebhookConnectionInfo {
  type?: string;
  kubeConfigFile?: string;
}

export interface WebhookMatchCondition {
  expression?: string;
}
