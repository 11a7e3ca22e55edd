// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as metaV1 from './meta-v1.ts';

export type Eviction = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: EvictionSpec;
  status?: EvictionStatus;
};

export type EvictionList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: Eviction[];
};

export interface EvictionPodReference {
  name?: string;
  uid?: string;
}

export type EvictionRequest = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: EvictionRequestSpec;
  status?: EvictionRequestStatus;
};

export type EvictionRequestList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: EvictionRequest[];
};

export interface EvictionRequestPodReference {
  name?: string;
  uid?: string;
}

export interface EvictionRequestSpec {
  target?: EvictionRequestTarget;
  requester?: string;
  intent?: string;
}

export interface EvictionRequestStatus {
  conditions?: metaV1.Condition[];
  observedGeneration?: number;
}

export interface EvictionRequestTarget {
  pod?: EvictionRequestPodReference;
}

export interface EvictionSpec {
  target?: EvictionTarget;
}

export interface EvictionStatus {
  conditions?: metaV1.Condition[];
  observedGeneration?: number;
  requesters?: Requester[];
  targetResponders?: TargetResponder[];
  responders?: ResponderStatus[];
}

export interface EvictionTarget {
  pod?: EvictionPodReference;
}

export interface Requester {
  name?: string;
  intent?: string;
}

export interface ResponderStatus {
  name?: string;
  startTime?: string;
  heartbeatTime?: string;
  expectedCompletionTime?: string;
  completionTime?: string;
  message?: string;
}

export interface TargetResponder {
  name?: string;
  priority?: number;
  state?: string;
}
