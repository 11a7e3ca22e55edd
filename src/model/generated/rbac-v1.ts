// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as metaV1 from './meta-v1.ts';

export interface AggregationRule {
  clusterRoleSelectors?: metaV1.LabelSelector[];
}

export type ClusterRole = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  rules?: PolicyRule[];
  aggregationRule?: AggregationRule;
};

export type ClusterRoleBinding = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  subjects?: Subject[];
  roleRef?: RoleRef;
};

export type ClusterRoleBindingList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: ClusterRoleBinding[];
};

export type ClusterRoleList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: ClusterRole[];
};

export interface PolicyRule {
  verbs?: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

export type Role = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  rules?: PolicyRule[];
};

export type RoleBinding = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  subjects?: Subject[];
  roleRef?: RoleRef;
};

export type RoleBindingList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: RoleBinding[];
};

export type RoleList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: Role[];
};

export interface RoleRef {
  apiGroup?: string;
  kind?: string;
  name?: string;
}

export interface Subject {
  kind?: string;
  apiGroup?: string;
  name?: string;
  namespace?: string;
}
