// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as metaV1 from './meta-v1.ts';

export type APIGroupDiscovery = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  versions?: APIVersionDiscovery[];
};

export type APIGroupDiscoveryList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: APIGroupDiscovery[];
};

export interface APIResourceDiscovery {
  resource?: string;
  responseKind?: metaV1.GroupVersionKind;
  scope?: string;
  singularResource?: string;
  verbs?: string[];
  shortNames?: string[];
  categories?: string[];
  subresources?: APISubresourceDiscovery[];
}

export interface APISubresourceDiscovery {
  subresource?: string;
  responseKind?: metaV1.GroupVersionKind;
  acceptedTypes?: metaV1.GroupVersionKind[];
  verbs?: string[];
}

export interface APIVersionDiscovery {
  version?: string;
  resources?: APIResourceDiscovery[];
  freshness?: string;
}
