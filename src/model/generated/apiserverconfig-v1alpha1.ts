// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type { RawJson } from '../object.ts';

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

export interface Connection {
  proxyProtocol?: string;
  transport?: Transport;
}

export interface EgressSelection {
  name?: string;
  connection?: Connection;
}

export type EgressSelectorConfiguration = {
  apiVersion?: string;
  kind?: string;
  egressSelections?: EgressSelection[];
};

export interface ExtraMapping {
  key?: string;
  valueExpression?: string;
}

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

export interface PrefixedClaimOrExpression {
  claim?: string;
  prefix?: string;
  expression?: string;
}

export interface TCPTransport {
  url?: string;
  tlsConfig?: TLSConfig;
}

export interface TLSConfig {
  caBundle?: string;
  clientKey?: string;
  clientCert?: string;
  tlsServerName?: string;
}

export type TracingConfiguration = {
  apiVersion?: string;
  kind?: string;
  endpoint?: string;
  samplingRatePerMillion?: number;
};

export interface Transport {
  tcp?: TCPTransport;
  uds?: UDSTransport;
}

export interface UDSTransport {
  udsName?: string;
}

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
