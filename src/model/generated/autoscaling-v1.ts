// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as metaV1 from './meta-v1.ts';

export interface ContainerResourceMetricSource {
  name?: string;
  targetAverageUtilization?: number;
  targetAverageValue?: string;
  container?: string;
}

export interface ContainerResourceMetricStatus {
  name?: string;
  currentAverageUtilization?: number;
  currentAverageValue?: string;
  container?: string;
}

export interface CrossVersionObjectReference {
  kind?: string;
  name?: string;
  apiVersion?: string;
}

export interface ExternalMetricSource {
  metricName?: string;
  metricSelector?: metaV1.LabelSelector;
  targetValue?: string;
  targetAverageValue?: string;
}

export interface ExternalMetricStatus {
  metricName?: string;
  metricSelector?: metaV1.LabelSelector;
  currentValue?: string;
  currentAverageValue?: string;
}

export type HorizontalPodAutoscaler = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: HorizontalPodAutoscalerSpec;
  status?: HorizontalPodAutoscalerStatus;
};

export interface HorizontalPodAutoscalerCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
  observedGeneration?: number;
}

export type HorizontalPodAutoscalerList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: HorizontalPodAutoscaler[];
};

export interface HorizontalPodAutoscalerSpec {
  scaleTargetRef?: CrossVersionObjectReference;
  minReplicas?: number;
  maxReplicas?: number;
  targetCPUUtilizationPercentage?: number;
}

export interface HorizontalPodAutoscalerStatus {
  observedGeneration?: number;
  lastScaleTime?: string;
  currentReplicas?: number;
  desiredReplicas?: number;
  currentCPUUtilizationPercentage?: number;
}

export interface MetricSpec {
  type?: string;
  object?: ObjectMetricSource;
  pods?: PodsMetricSource;
  resource?: ResourceMetricSource;
  containerResource?: ContainerResourceMetricSource;
  external?: ExternalMetricSource;
}

export interface MetricStatus {
  type?: string;
  object?: ObjectMetricStatus;
  pods?: PodsMetricStatus;
  resource?: ResourceMetricStatus;
  containerResource?: ContainerResourceMetricStatus;
  external?: ExternalMetricStatus;
}

export interface ObjectMetricSource {
  target?: CrossVersionObjectReference;
  metricName?: string;
  targetValue?: string;
  selector?: metaV1.LabelSelector;
  averageValue?: string;
}

export interface ObjectMetricStatus {
  target?: CrossVersionObjectReference;
  metricName?: string;
  currentValue?: string;
  selector?: metaV1.LabelSelector;
  averageValue?: string;
}

export interface PodsMetricSource {
  metricName?: string;
  targetAverageValue?: string;
  selector?: metaV1.LabelSelector;
}

export interface PodsMetricStatus {
  metricName?: string;
  currentAverageValue?: string;
  selector?: metaV1.LabelSelector;
}

export interface ResourceMetricSource {
  name?: string;
  targetAverageUtilization?: number;
  targetAverageValue?: string;
}

export interface ResourceMetricStatus {
  name?: string;
  currentAverageUtilization?: number;
  currentAverageValue?: string;
}

export type Scale = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: ScaleSpec;
  status?: ScaleStatus;
};

export interface ScaleSpec {
  replicas?: number;
}

export interface ScaleStatus {
  replicas?: number;
  selector?: string;
}
