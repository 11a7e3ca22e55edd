// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference, RawJson } from '../object.ts';

export type { ManagedFieldsEntry, ObjectMeta, OwnerReference };

export interface Condition {
  type?: string;
  status?: string;
  observedGeneration?: number;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}

export interface FieldSelectorRequirement {
  key?: string;
  operator?: string;
  values?: string[];
}

export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}

export interface LabelSelectorRequirement {
  key?: string;
  operator?: string;
  values?: string[];
}

export type List = {
  apiVersion?: string;
  kind?: string;
  metadata?: ListMeta;
  items?: RawJson[];
};

export interface ListMeta {
  selfLink?: string;
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
  shardInfo?: ShardInfo;
}

export type PartialObjectMetadata = {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
};

export type PartialObjectMetadataList = {
  apiVersion?: string;
  kind?: string;
  metadata?: ListMeta;
  items?: PartialObjectMetadata[];
};

export type Patch = Record<string, never>;

export interface ShardInfo {
  selector?: string;
}

export type Status = {
  apiVersion?: string;
  kind?: string;
  metadata?: ListMeta;
  status?: string;
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
};

export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

export interface Timestamp {
  seconds?: number;
  nanos?: number;
}

export interface TypeMeta {
  kind?: string;
  apiVersion?: string;
}

export interface WatchEvent {
  type?: string;
  object?: RawJson;
}

export type APIGroup = {
  apiVersion?: string;
  kind?: string;
  name?: string;
  versions?: GroupVersionForDiscovery[];
  preferredVersion?: GroupVersionForDiscovery;
  serverAddressByClientCIDRs?: ServerAddressByClientCIDR[];
};

export type APIGroupList = {
  apiVersion?: string;
  kind?: string;
  groups?: APIGroup[];
};

export interface APIResource {
  name?: string;
  singularName?: string;
  namespaced?: boolean;
  group?: string;
  version?: string;
  kind?: string;
  verbs?: string[];
  shortNames?: string[];
  categories?: string[];
  storageVersionHash?: string;
}

export type APIResourceList = {
  apiVersion?: string;
  kind?: string;
  groupVersion?: string;
  resources?: APIResource[];
};

export type APIVersions = {
  apiVersion?: string;
  kind?: string;
  versions?: string[];
  serverAddressByClientCIDRs?: ServerAddressByClientCIDR[];
};

export interface GroupKind {
  group?: string;
  kind?: string;
}

export interface GroupResource {
  group?: string;
  resource?: string;
}

export interface GroupVersionForDiscovery {
  groupVersion?: string;
  version?: string;
}

export interface GroupVersionKind {
  group?: string;
  version?: string;
  kind?: string;
}

export interface GroupVersionResource {
  group?: string;
  version?: string;
  resource?: string;
}

export interface RootPaths {
  paths?: string[];
}

export interface ServerAddressByClientCIDR {
  clientCIDR?: string;
  serverAddress?: string;
}

export type ApplyOptions = {
  apiVersion?: string;
  kind?: string;
  dryRun?: string[];
  force?: boolean;
  fieldManager?: string;
};

export type CreateOptions = {
  apiVersion?: string;
  kind?: string;
  dryRun?: string[];
  fieldManager?: string;
  fieldValidation?: string;
};

export type DeleteOptions = {
  apiVersion?: string;
  kind?: string;
  gracePeriodSeconds?: number;
  preconditions?: Preconditions;
  orphanDependents?: boolean;
  propagationPolicy?: string;
  dryRun?: string[];
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
};

export type GetOptions = {
  apiVersion?: string;
  kind?: string;
  resourceVersion?: string;
};

export type ListOptions = {
  apiVersion?: string;
  kind?: string;
  labelSelector?: string;
  fieldSelector?: string;
  watch?: boolean;
  allowWatchBookmarks?: boolean;
  resourceVersion?: string;
  resourceVersionMatch?: string;
  timeoutSeconds?: number;
  limit?: number;
  continue?: string;
  sendInitialEvents?: boolean;
  shardSelector?: string;
};

export type PatchOptions = {
  apiVersion?: string;
  kind?: string;
  dryRun?: string[];
  force?: boolean;
  fieldManager?: string;
  fieldValidation?: string;
};

export interface Preconditions {
  uid?: string;
  resourceVersion?: string;
}

export type TableOptions = {
  apiVersion?: string;
  kind?: string;
  includeObject?: string;
};

export type UpdateOptions = {
  apiVersion?: string;
  kind?: string;
  dryRun?: string[];
  fieldManager?: string;
  fieldValidation?: string;
};

export type Table = {
  apiVersion?: string;
  kind?: string;
  metadata?: ListMeta;
  columnDefinitions?: TableColumnDefinition[];
  rows?: TableRow[];
};

export interface TableColumnDefinition {
  name?: string;
  type?: string;
  format?: string;
  description?: string;
  priority?: number;
}

export interface TableRow {
  cells?: RawJson[];
  conditions?: TableRowCondition[];
  object?: RawJson;
}

export interface TableRowCondition {
  type?: string;
  status?: string;
  reason?: string;
  message?: string;
}
