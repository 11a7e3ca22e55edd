// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as metaV1 from './meta-v1.ts';

export type ClusterTrustBundle = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: ClusterTrustBundleSpec;
};

export type ClusterTrustBundleList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: ClusterTrustBundle[];
};

export interface ClusterTrustBundleSpec {
  signerName?: string;
  trustBundle?: string;
}

export type PodCertificateRequest = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: PodCertificateRequestSpec;
  status?: PodCertificateRequestStatus;
};

export type PodCertificateRequestList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: PodCertificateRequest[];
};

export interface PodCertificateRequestSpec {
  signerName?: string;
  podName?: string;
  podUID?: string;
  serviceAccountName?: string;
  serviceAccountUID?: string;
  nodeName?: string;
  nodeUID?: string;
  maxExpirationSeconds?: number;
  pkixPublicKey?: string;
  proofOfPossession?: string;
  stubPKCS10Request?: string;
  unverifiedUserAnnotations?: Record<string, string>;
}

export interface PodCertificateRequestStatus {
  conditions?: metaV1.Condition[];
  certificateChain?: string;
  notBefore?: string;
  beginRefreshAt?: string;
  notAfter?: string;
}
