import type { Declarations } from '../declare.ts';

export default {
  family: 'autoscaling_v1',
  group: 'autoscaling',
  version: 'v1',
  protobuf: 'k8s.io.api.autoscaling.v1',
  types: `
ContainerResourceMetricSource unpublished
  name 1 string required go=ResourceName
  targetAverageUtilization 2 *int32
  targetAverageValue 3 *quantity.Quantity
  container 5 string required

ContainerResourceMetricStatus unpublished
  name 1 string required go=ResourceName
  currentAverageUtilization 2 *int32
  currentAverageValue 3 quantity.Quantity required
  container 4 string required

CrossVersionObjectReference map=atomic
  kind 1 string required
  name 2 string required
  apiVersion 3 string

ExternalMetricSource unpublished
  metricName 1 string required
  metricSelector 2 *meta_v1.LabelSelector
  targetValue 3 *quantity.Quantity
  targetAverageValue 4 *quantity.Quantity

ExternalMetricStatus unpublished
  metricName 1 string required
  metricSelector 2 *meta_v1.LabelSelector
  currentValue 3 quantity.Quantity required
  currentAverageValue 4 *quantity.Quantity

HorizontalPodAutoscaler kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 HorizontalPodAutoscalerSpec required@1.36
  status 3 HorizontalPodAutoscalerStatus

HorizontalPodAutoscalerCondition unpublished
  type 1 string required go=HorizontalPodAutoscalerConditionType
  status 2 string required go=ConditionStatus
  lastTransitionTime 3 meta_v1.Time
  reason 4 string
  message 5 string
  observedGeneration 6 *int64 since=1.37

HorizontalPodAutoscalerList kind
  metadata 1 meta_v1.ListMeta
  items 2 []HorizontalPodAutoscaler required

HorizontalPodAutoscalerSpec
  scaleTargetRef 1 CrossVersionObjectReference required
  minReplicas 2 *int32
  maxReplicas 3 int32 required
  targetCPUUtilizationPercentage 4 *int32

HorizontalPodAutoscalerStatus
  observedGeneration 1 *int64
  lastScaleTime 2 *meta_v1.Time
  currentReplicas 3 int32 required
  desiredReplicas 4 int32 required
  currentCPUUtilizationPercentage 5 *int32

MetricSpec unpublished
  @json type object pods resource containerResource external
  type 1 string required enum=ContainerResource|External|Object|Pods|Resource go=MetricSourceType
  object 2 *ObjectMetricSource
  pods 3 *PodsMetricSource
  resource 4 *ResourceMetricSource
  external 5 *ExternalMetricSource
  containerResource 7 *ContainerResourceMetricSource

MetricStatus unpublished
  @json type object pods resource containerResource external
  type 1 string required enum=ContainerResource|External|Object|Pods|Resource go=MetricSourceType
  object 2 *ObjectMetricStatus
  pods 3 *PodsMetricStatus
  resource 4 *ResourceMetricStatus
  external 5 *ExternalMetricStatus
  containerResource 7 *ContainerResourceMetricStatus

ObjectMetricSource unpublished
  target 1 CrossVersionObjectReference required
  metricName 2 string required
  targetValue 3 quantity.Quantity required
  selector 4 *meta_v1.LabelSelector
  averageValue 5 *quantity.Quantity

ObjectMetricStatus unpublished
  target 1 CrossVersionObjectReference required
  metricName 2 string required
  currentValue 3 quantity.Quantity required
  selector 4 *meta_v1.LabelSelector
  averageValue 5 *quantity.Quantity

PodsMetricSource unpublished
  metricName 1 string required
  targetAverageValue 2 quantity.Quantity required
  selector 3 *meta_v1.LabelSelector

PodsMetricStatus unpublished
  metricName 1 string required
  currentAverageValue 2 quantity.Quantity required
  selector 3 *meta_v1.LabelSelector

ResourceMetricSource unpublished
  name 1 string required go=ResourceName
  targetAverageUtilization 2 *int32
  targetAverageValue 3 *quantity.Quantity

ResourceMetricStatus unpublished
  name 1 string required go=ResourceName
  currentAverageUtilization 2 *int32
  currentAverageValue 3 quantity.Quantity required

Scale kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 ScaleSpec
  status 3 ScaleStatus

ScaleSpec
  replicas 1 int32 default@1.34=0

ScaleStatus
  replicas 1 int32 required
  selector 2 string
`,
} satisfies Declarations;
