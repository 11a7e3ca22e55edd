// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as authenticationV1 from './authentication-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export type SelfSubjectReview = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  status?: SelfSubjectReviewStatus;
};

export interface SelfSubjectReviewStatus {
  userInfo?: authenticationV1.UserInfo;
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
