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
