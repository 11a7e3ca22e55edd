// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as metaV1 from './meta-v1.ts';

export type ImageReview = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: ImageReviewSpec;
  status?: ImageReviewStatus;
};

export interface ImageReviewContainerSpec {
  image?: string;
}

export interface ImageReviewSpec {
  containers?: ImageReviewContainerSpec[];
  annotations?: Record<string, string>;
  namespace?: string;
}

export interface ImageReviewStatus {
  allowed?: boolean;
  reason?: string;
  auditAnnotations?: Record<string, string>;
}
