// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as metaV1 from './meta-v1.ts';

export interface BoundObjectReference {
  kind?: string;
  apiVersion?: string;
  name?: string;
  uid?: string;
}

export type SelfSubjectReview = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  status?: SelfSubjectReviewStatus;
};

export interface SelfSubjectReviewStatus {
  userInfo?: UserInfo;
}

export type TokenRequest = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: TokenRequestSpec;
  status?: TokenRequestStatus;
};

export interface TokenRequestSpec {
  audiences?: string[];
  expirationSeconds?: number;
  boundObjectRef?: BoundObjectReference;
  attestations?: Record<string, string[]>;
}

export interface TokenRequestStatus {
  token?: string;
  expirationTimestamp?: string | null;
}

export type TokenReview = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: TokenReviewSpec;
  status?: TokenReviewStatus;
};

export interface TokenReviewSpec {
  token?: string;
  audiences?: string[];
}

export interface TokenReviewStatus {
  authenticated?: boolean;
  user?: UserInfo;
  audiences?: string[];
  error?: string;
}

export interface UserInfo {
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}
