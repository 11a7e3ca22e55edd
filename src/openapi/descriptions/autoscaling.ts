/** Kinds of the group autoscaling. */
export const AUTOSCALING: Readonly<Record<string, string>> = {
  HorizontalPodAutoscaler: 'Scales a workload according to metrics.',
  HorizontalPodAutoscalerSpec: 'Specification of an autoscaler.',
  'HorizontalPodAutoscalerSpec.scaleTargetRef': 'Workload to scale.',
  'HorizontalPodAutoscalerSpec.minReplicas': 'Minimum number of replicas. Default: 1.',
  'HorizontalPodAutoscalerSpec.maxReplicas': 'Maximum number of replicas.',
  'HorizontalPodAutoscalerSpec.metrics': 'Metrics that determine the number of replicas.',
  'HorizontalPodAutoscalerSpec.behavior': 'Scaling behavior in both directions.',
  'HorizontalPodAutoscalerSpec.targetCPUUtilizationPercentage':
    'Target CPU utilization as a percentage of the requested CPU.',
};
