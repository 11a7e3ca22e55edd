// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as metaV1 from './meta-v1.ts';

export type BasicSchedulingPolicy = Record<string, never>;

export interface GangSchedulingPolicy {
  minCount?: number;
}

export interface PodGroup {
  name?: string;
  policy?: PodGroupPolicy;
}

export interface PodGroupPolicy {
  basic?: BasicSchedulingPolicy;
  gang?: GangSchedulingPolicy;
}

export interface TypedLocalObjectReference {
  apiGroup?: string;
  kind?: string;
  name?: string;
}

export type Workload = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: WorkloadSpec;
};

export type WorkloadList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: Workload[];
};

export interface WorkloadSpec {
  controllerRef?: TypedLocalObjectReference;
  podGroups?: PodGroup[];
}
