// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as metaV1 from './meta-v1.ts';

export interface FieldSelectorAttributes {
  rawSelector?: string;
  requirements?: metaV1.FieldSelectorRequirement[];
}

export interface LabelSelectorAttributes {
  rawSelector?: string;
  requirements?: metaV1.LabelSelectorRequirement[];
}

export type LocalSubjectAccessReview = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: SubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
};

export interface NonResourceAttributes {
  path?: string;
  verb?: string;
}

export interface NonResourceRule {
  verbs?: string[];
  nonResourceURLs?: string[];
}

export interface ResourceAttributes {
  namespace?: string;
  verb?: string;
  group?: string;
  version?: string;
  resource?: string;
  subresource?: string;
  name?: string;
  fieldSelector?: FieldSelectorAttributes;
  labelSelector?: LabelSelectorAttributes;
}

export interface ResourceRule {
  verbs?: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
}

export type SelfSubjectAccessReview = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: SelfSubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
};

export interface SelfSubjectAccessReviewSpec {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
}

export type SelfSubjectRulesReview = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: SelfSubjectRulesReviewSpec;
  status?: SubjectRulesReviewStatus;
};

export interface SelfSubjectRulesReviewSpec {
  namespace?: string;
}

export type SubjectAccessReview = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: SubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
};

export interface SubjectAccessReviewSpec {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
  user?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
  uid?: string;
}

export interface SubjectAccessReviewStatus {
  allowed?: boolean;
  denied?: boolean;
  reason?: string;
  evaluationError?: string;
}

export interface SubjectRulesReviewStatus {
  resourceRules?: ResourceRule[];
  nonResourceRules?: NonResourceRule[];
  incomplete?: boolean;
  evaluationError?: string;
}
