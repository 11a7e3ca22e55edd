// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as metaV1 from './meta-v1.ts';

export type Eviction = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  deleteOptions?: metaV1.DeleteOptions;
};

export type PodDisruptionBudget = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: PodDisruptionBudgetSpec;
  status?: PodDisruptionBudgetStatus;
};

export type PodDisruptionBudgetList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: PodDisruptionBudget[];
};

export interface PodDisruptionBudgetSpec {
  minAvailable?: number | string;
  selector?: metaV1.LabelSelector;
  maxUnavailable?: number | string;
  unhealthyPodEvictionPolicy?: string;
}

export interface PodDisruptionBudgetStatus {
  observedGeneration?: number;
  disruptedPods?: Record<string, string>;
  disruptionsAllowed?: number;
  currentHealthy?: number;
  desiredHealthy?: number;
  expectedPods?: number;
  conditions?: metaV1.Condition[];
}
