import type { Declarations } from '../declare.ts';

export default {
  family: 'autoscaling_v2',
  group: 'autoscaling',
  version: 'v2',
  protobuf: 'k8s.io.api.autoscaling.v2',
  types: `
ContainerResourceMetricSource
  name 1 string required go=v1.ResourceName
  target 2 MetricTarget required
  container 3 string required

ContainerResourceMetricStatus
  name 1 string required go=v1.ResourceName
  current 2 MetricValueStatus required
  container 3 string required

CrossVersionObjectReference
  kind 1 string required
  name 2 string required
  apiVersion 3 string

ExternalMetricSource
  metric 1 MetricIdentifier required
  target 2 MetricTarget required

ExternalMetricStatus
  metric 1 MetricIdentifier required
  current 2 MetricValueStatus required

HPAScalingPolicy
  type 1 string required go=HPAScalingPolicyType
  value 2 int32 required
  periodSeconds 3 int32 required

HPAScalingRules
  @json stabilizationWindowSeconds selectPolicy policies tolerance
  selectPolicy 1 *string go=ScalingPolicySelect
  policies 2 []HPAScalingPolicy list=atomic
  stabilizationWindowSeconds 3 *int32
  tolerance 4 *quantity.Quantity since=1.33

HorizontalPodAutoscaler kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 HorizontalPodAutoscalerSpec required@1.36
  status 3 HorizontalPodAutoscalerStatus

HorizontalPodAutoscalerBehavior
  scaleUp 1 *HPAScalingRules
  scaleDown 2 *HPAScalingRules

HorizontalPodAutoscalerCondition
  type 1 string required go=HorizontalPodAutoscalerConditionType
  status 2 string required go=v1.ConditionStatus
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
  metrics 4 []MetricSpec list=atomic
  behavior 5 *HorizontalPodAutoscalerBehavior

HorizontalPodAutoscalerStatus
  observedGeneration 1 *int64
  lastScaleTime 2 *meta_v1.Time
  currentReplicas 3 int32
  desiredReplicas 4 int32 required
  currentMetrics 5 []MetricStatus shown list=atomic
  conditions 6 []HorizontalPodAutoscalerCondition list=map(type) patch=merge

MetricIdentifier
  name 1 string required
  selector 2 *meta_v1.LabelSelector

MetricSpec
  @json type object pods resource containerResource external
  type 1 string required go=MetricSourceType
  object 2 *ObjectMetricSource
  pods 3 *PodsMetricSource
  resource 4 *ResourceMetricSource
  external 5 *ExternalMetricSource
  containerResource 7 *ContainerResourceMetricSource

MetricStatus
  @json type object pods resource containerResource external
  type 1 string required go=MetricSourceType
  object 2 *ObjectMetricStatus
  pods 3 *PodsMetricStatus
  resource 4 *ResourceMetricStatus
  external 5 *ExternalMetricStatus
  containerResource 7 *ContainerResourceMetricStatus

MetricTarget
  type 1 string required go=MetricTargetType
  value 2 *quantity.Quantity
  averageValue 3 *quantity.Quantity
  averageUtilization 4 *int32

MetricValueStatus
  value 1 *quantity.Quantity
  averageValue 2 *quantity.Quantity
  averageUtilization 3 *int32

ObjectMetricSource
  describedObject 1 CrossVersionObjectReference required
  target 2 MetricTarget required
  metric 3 MetricIdentifier required

ObjectMetricStatus
  metric 1 MetricIdentifier required
  current 2 MetricValueStatus required
  describedObject 3 CrossVersionObjectReference required

PodsMetricSource
  metric 1 MetricIdentifier required
  target 2 MetricTarget required

PodsMetricStatus
  metric 1 MetricIdentifier required
  current 2 MetricValueStatus required

ResourceMetricSource
  name 1 string required go=v1.ResourceName
  target 2 MetricTarget required

ResourceMetricStatus
  name 1 string required go=v1.ResourceName
  current 2 MetricValueStatus required
`,
} satisfies Declarations;
