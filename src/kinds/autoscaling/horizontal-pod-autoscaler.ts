import type {
  HorizontalPodAutoscaler,
  HPAScalingPolicy,
  HPAScalingRules,
  MetricSpec,
} from '../../model/generated/autoscaling-v2.ts';
import { type FieldError, forbidden, invalid, required } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy, StrategyContext } from '../strategy.ts';
import { validateNonNegative, validateOneOf } from '../validation/fields.ts';
import { plainConversion } from './horizontal-pod-autoscaler-conversion.ts';
import { setDefaults, setPlainDefaults } from './horizontal-pod-autoscaler-defaults.ts';
import { horizontalPodAutoscalerTable } from './horizontal-pod-autoscaler-table.ts';
import { validateMetric, validateReference } from './metrics-validation.ts';

const MAXIMUM_WINDOW_SECONDS = 3600;
const MAXIMUM_PERIOD_SECONDS = 1800;

function validateSpec({ spec = {} }: HorizontalPodAutoscaler, minimumReplicas: number): FieldError[] {
  const { minReplicas, maxReplicas = 0, scaleTargetRef = {}, metrics = [], behavior } = spec;
  const refuseMaximum = (text: string): FieldError => invalid('spec.maxReplicas', maxReplicas, text);
  return [
    ...(minReplicas !== undefined && minReplicas < minimumReplicas
      ? [invalid('spec.minReplicas', minReplicas, `must be greater than or equal to ${minimumReplicas}`)]
      : []),
    ...(maxReplicas < 1 ? [refuseMaximum('must be greater than 0')] : []),
    ...(minReplicas !== undefined && maxReplicas < minReplicas
      ? [refuseMaximum('must be greater than or equal to `minReplicas`')]
      : []),
    ...validateReference(scaleTargetRef, 'spec.scaleTargetRef'),
    ...validateMetrics(metrics, minReplicas, 'spec.metrics'),
    ...validateRules(behavior?.scaleUp, 'spec.behavior.scaleUp'),
    ...validateRules(behavior?.scaleDown, 'spec.behavior.scaleDown'),
  ];
}

/** Validates metrics. Scaling to zero requires a metric that does not measure pods. */
function validateMetrics(
  metrics: readonly MetricSpec[],
  minReplicas: number | undefined,
  field: string,
): FieldError[] {
  const needsOutside =
    minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External');
  return [
    ...metrics.flatMap((metric, index) => validateMetric(metric, `${field}[${index}]`)),
    ...(needsOutside
      ? [
          forbidden(
            field,
            'must specify at least one Object or External metric to support scaling to zero replicas',
          ),
        ]
      : []),
  ];
}

function validateRules(rules: HPAScalingRules | undefined, field: string): FieldError[] {
  if (rules === undefined) return [];
  const { stabilizationWindowSeconds: seconds, selectPolicy, policies = [] } = rules;
  const window = `${field}.stabilizationWindowSeconds`;
  return [
    ...(seconds !== undefined && seconds < 0
      ? [invalid(window, seconds, 'must be greater than or equal to zero')]
      : []),
    ...(seconds !== undefined && seconds > MAXIMUM_WINDOW_SECONDS
      ? [invalid(window, seconds, `must be less than or equal to ${MAXIMUM_WINDOW_SECONDS}`)]
      : []),
    ...(selectPolicy === undefined
      ? []
      : validateOneOf(selectPolicy, ['Disabled', 'Max', 'Min'], `${field}.selectPolicy`)),
    ...(policies.length === 0 ? [required(`${field}.policies`, 'must specify at least one Policy')] : []),
    ...policies.flatMap((policy, index) => validatePolicy(policy, `${field}.policies[${index}]`)),
  ];
}

function validatePolicy(
  { type, value = 0, periodSeconds = 0 }: HPAScalingPolicy,
  field: string,
): FieldError[] {
  const period = `${field}.periodSeconds`;
  return [
    ...validateOneOf(type, ['Percent', 'Pods'], `${field}.type`),
    ...(value <= 0 ? [invalid(`${field}.value`, value, 'must be greater than zero')] : []),
    ...(periodSeconds <= 0 ? [invalid(period, periodSeconds, 'must be greater than zero')] : []),
    ...(periodSeconds > MAXIMUM_PERIOD_SECONDS
      ? [invalid(period, periodSeconds, `must be less than or equal to ${MAXIMUM_PERIOD_SECONDS}`)]
      : []),
  ];
}

const validateStatus = ({ status = {} }: HorizontalPodAutoscaler): FieldError[] => [
  ...validateNonNegative(status.currentReplicas, 'status.currentReplicas'),
  ...validateNonNegative(status.desiredReplicas, 'status.desiredReplicas'),
];

/** Drops the annotations that carry v2 fields in v1; they have no meaning in v2. */
/** Returns the minimum of minReplicas. Scaling to zero is off by default; stored objects keep it. */
const minimumReplicas = (context: StrategyContext): number => (context.isOn('HPAScaleToZero') ? 0 : 1);

export const horizontalPodAutoscalerStrategy: Strategy = {
  defaulting: {
    byVersion: { v2: setDefaults, v1: setPlainDefaults },
    creationOmitsDefaults: true,
  },
  conversions: { v1: plainConversion },
  validate: (object: HorizontalPodAutoscaler, context) => validateSpec(object, minimumReplicas(context)),
  validateUpdate: (object: HorizontalPodAutoscaler, old: HorizontalPodAutoscaler, context) =>
    validateSpec(object, old.spec?.minReplicas === 0 ? 0 : minimumReplicas(context)),
  validateSubresource: { status: validateStatus },
};

export const horizontalPodAutoscalers = defineResource({
  group: 'autoscaling',
  versions: ['v2', 'v1'],
  resource: 'horizontalpodautoscalers',
  kind: 'HorizontalPodAutoscaler',
  shortNames: ['hpa'],
  categories: ['all'],
  subresources: ['status'],
  strategy: horizontalPodAutoscalerStrategy,
  table: horizontalPodAutoscalerTable,
  descriptions: {
    HorizontalPodAutoscaler: 'Scales a workload according to metrics.',
    HorizontalPodAutoscalerSpec: 'Specification of an autoscaler.',
    'HorizontalPodAutoscalerSpec.scaleTargetRef': 'Workload to scale.',
    'HorizontalPodAutoscalerSpec.minReplicas': 'Minimum number of replicas. Default: 1.',
    'HorizontalPodAutoscalerSpec.maxReplicas': 'Maximum number of replicas.',
    'HorizontalPodAutoscalerSpec.metrics': 'Metrics that determine the number of replicas.',
    'HorizontalPodAutoscalerSpec.behavior': 'Scaling behavior in both directions.',
    'HorizontalPodAutoscalerSpec.targetCPUUtilizationPercentage':
      'Target CPU utilization as a percentage of the requested CPU.',
  },
});
