import type { HorizontalPodAutoscaler as PlainAutoscaler } from '../../model/generated/autoscaling-v1.ts';
import type { HorizontalPodAutoscaler, HPAScalingRules } from '../../model/generated/autoscaling-v2.ts';
import { withoutConversionAnnotations } from './metrics-annotations.ts';

const TARGET_CPU_PERCENT = 80;

/**
 * Scale up without stabilization by four pods or 100 percent in 15 seconds, whichever is larger; scale down
 * by any number.
 */
const SCALE_UP = (): HPAScalingRules => ({
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
});
const SCALE_DOWN = (): HPAScalingRules => ({
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
});

function fill(rules: HPAScalingRules | undefined, defaults: HPAScalingRules): HPAScalingRules {
  return {
    ...(rules?.tolerance === undefined ? {} : { tolerance: rules.tolerance }),
    stabilizationWindowSeconds: rules?.stabilizationWindowSeconds ?? defaults.stabilizationWindowSeconds,
    selectPolicy: rules?.selectPolicy ?? defaults.selectPolicy,
    policies: rules?.policies ?? defaults.policies,
  };
}

/** Sets the defaults of autoscaling/v2, and removes the annotations that carry its fields in v1. */
export function setDefaults(object: HorizontalPodAutoscaler): void {
  const { metadata } = object;
  if (metadata?.annotations !== undefined)
    metadata.annotations = withoutConversionAnnotations(metadata.annotations);
  setMetricDefaults(object);
  const behavior = object.spec?.behavior;
  if (behavior === undefined) return;
  behavior.scaleUp = fill(behavior.scaleUp, SCALE_UP());
  behavior.scaleDown = fill(behavior.scaleDown, SCALE_DOWN());
}

/** Sets the defaults that also hold for objects of autoscaling/v1, whose behavior stays as it is. */
export function setMetricDefaults(object: HorizontalPodAutoscaler): void {
  object.spec ??= {};
  const { spec } = object;
  spec.minReplicas ??= 1;
  if ((spec.metrics ?? []).length === 0) {
    spec.metrics = [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: TARGET_CPU_PERCENT } },
      },
    ];
  }
}

/** Sets the defaults of autoscaling/v1; the target is derived from the v2 metrics. */
export function setPlainDefaults(object: PlainAutoscaler): void {
  object.spec ??= {};
  object.spec.minReplicas ??= 1;
}
