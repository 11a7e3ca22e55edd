import type {
  CrossVersionObjectReference,
  HorizontalPodAutoscaler,
  HPAScalingPolicy,
  HPAScalingRules,
  MetricSpec,
} from '../../model/generated/autoscaling-v2.ts';
import { internalTypes } from '../../model/internal-types.ts';
import type { Life } from '../../model/life.ts';
import { nextGeneration } from '../../model/object.ts';
import { type FieldError, forbidden, invalid, required } from '../../status/field-error.ts';
import { type BuiltinDependencies, defineResource } from '../builtin-resource.ts';
import { dropGatedFields, type GatedField } from '../gated-fields.ts';
import type { Strategy, StrategyContext } from '../strategy.ts';
import { validateNonNegative, validateOneOf } from '../validation/fields.ts';
import { validateNonNegativeQuantity } from '../validation/quantities.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';
import { plainConversion } from './horizontal-pod-autoscaler-conversion.ts';
import { setDefaults, setPlainDefaults } from './horizontal-pod-autoscaler-defaults.ts';
import { horizontalPodAutoscalerTable } from './horizontal-pod-autoscaler-table.ts';
import {
  type AllowedVersions,
  allowedMetricVersions,
  validateMetric,
  validateReference,
} from './metrics-validation.ts';

const MAXIMUM_WINDOW_SECONDS = 3600;
const MAXIMUM_PERIOD_SECONDS = 1800;

/** The releases that require a maximum before they compare it. */
const REQUIRES_MAXIMUM: Life = { since: '1.36' };
/** The releases that validate the conditions of a status. */
const VALIDATES_CONDITIONS: Life = { since: '1.37' };
const SPEC = 'autoscaling_v2.HorizontalPodAutoscalerSpec';
/** The scalable kind that has no group. */
const CORE_KIND = 'ReplicationController';

function validateSpec(
  { spec = {} }: HorizontalPodAutoscaler,
  old: HorizontalPodAutoscaler | undefined,
  context: StrategyContext,
): FieldError[] {
  const minimumReplicas = context.isOn('HPAScaleToZero') || old?.spec?.minReplicas === 0 ? 0 : 1;
  const { minReplicas, maxReplicas = 0, scaleTargetRef = {}, metrics = [], behavior } = spec;
  const refuseMaximum = (text: string): FieldError => invalid('spec.maxReplicas', maxReplicas, text);
  return [
    ...(minReplicas !== undefined && minReplicas < minimumReplicas
      ? [invalid('spec.minReplicas', minReplicas, `must be greater than or equal to ${minimumReplicas}`)]
      : []),
    ...validateMaximum(maxReplicas, context),
    ...(minReplicas !== undefined && maxReplicas < minReplicas
      ? [refuseMaximum('must be greater than or equal to `minReplicas`')]
      : []),
    ...validateReference(
      scaleTargetRef,
      'spec.scaleTargetRef',
      allowedTargets(scaleTargetRef, old?.spec?.scaleTargetRef),
      context,
    ),
    ...validateMetrics(metrics, old?.spec?.metrics ?? [], minReplicas, context),
    ...validateRules(behavior?.scaleUp, 'spec.behavior.scaleUp'),
    ...validateRules(behavior?.scaleDown, 'spec.behavior.scaleDown'),
  ];
}

function validateMaximum(maxReplicas: number, { has }: StrategyContext): FieldError[] {
  const field = 'spec.maxReplicas';
  if (maxReplicas >= 1) return [];
  if (!has(REQUIRES_MAXIMUM)) return [invalid(field, maxReplicas, 'must be greater than 0')];
  return maxReplicas === 0
    ? [required(field, 'must be set and greater than 0')]
    : [invalid(field, maxReplicas, 'must be greater than or equal to 1')];
}

/** What the version of the scaled object can be: an update may keep one that names no group. */
function allowedTargets(
  { apiVersion = '', kind = '' }: CrossVersionObjectReference,
  old: CrossVersionObjectReference | undefined,
): AllowedVersions {
  if (old !== undefined && apiVersion === (old.apiVersion ?? '') && kind === (old.kind ?? '')) return 'any';
  return kind === CORE_KIND ? 'core' : 'grouped';
}

/** Validates metrics. Scaling to zero requires a metric that does not measure pods. */
function validateMetrics(
  metrics: readonly MetricSpec[],
  stored: readonly MetricSpec[],
  minReplicas: number | undefined,
  context: StrategyContext,
): FieldError[] {
  const field = 'spec.metrics';
  const allowed = allowedMetricVersions(stored);
  const needsOutside =
    minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External');
  return [
    ...metrics.flatMap((metric, index) => validateMetric(metric, `${field}[${index}]`, allowed, context)),
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
  const { stabilizationWindowSeconds: seconds, selectPolicy, policies = [], tolerance } = rules;
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
    ...(tolerance === undefined ? [] : validateNonNegativeQuantity(tolerance, `${field}.tolerance`)),
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

const validateStatus = ({ status = {} }: HorizontalPodAutoscaler, { has }: StrategyContext): FieldError[] => [
  ...(has(VALIDATES_CONDITIONS) ? (status.conditions ?? []) : []).flatMap(({ observedGeneration }, index) =>
    validateNonNegative(observedGeneration, `status.conditions[${index}].observedGeneration`),
  ),
  ...validateNonNegative(status.currentReplicas, 'status.currentReplicas'),
  ...validateNonNegative(status.desiredReplicas, 'status.desiredReplicas'),
];

const GATED_FIELDS: readonly GatedField<HorizontalPodAutoscaler>[] = [
  {
    gate: 'HPAConfigurableTolerance',
    member: 'tolerance',
    parents: ({ spec }) => [spec?.behavior?.scaleDown, spec?.behavior?.scaleUp],
  },
];

export const createHorizontalPodAutoscalerStrategy = (server: BuiltinDependencies): Strategy => ({
  defaulting: {
    byVersion: { v2: setDefaults, v1: setPlainDefaults },
    creationOmitsDefaults: true,
  },
  conversions: { v1: plainConversion(server) },
  dropDisabledFields: (object, old, context) =>
    dropGatedFields(
      GATED_FIELDS,
      object as HorizontalPodAutoscaler,
      old as HorizontalPodAutoscaler | undefined,
      context,
    ),
  prepareForCreate(object, { isOn }) {
    if (isOn('HPAGeneration')) object.metadata!.generation = 1;
  },
  prepareForUpdate(object: HorizontalPodAutoscaler, old: HorizontalPodAutoscaler, { isOn }) {
    if (isOn('HPAGeneration') && !semanticEqual(object.spec, old.spec, internalTypes.type(SPEC)))
      object.metadata!.generation = nextGeneration(old.metadata?.generation);
  },
  validate: (object: HorizontalPodAutoscaler, context) => validateSpec(object, undefined, context),
  validateUpdate: (object: HorizontalPodAutoscaler, old: HorizontalPodAutoscaler, context) =>
    validateSpec(object, old, context),
  validateSubresource: { status: (object, _old, context) => validateStatus(object, context) },
});

export const horizontalPodAutoscalers = defineResource({
  group: 'autoscaling',
  versions: ['v2', 'v1'],
  resource: 'horizontalpodautoscalers',
  kind: 'HorizontalPodAutoscaler',
  shortNames: ['hpa'],
  categories: ['all'],
  subresources: ['status'],
  strategy: createHorizontalPodAutoscalerStrategy,
  table: horizontalPodAutoscalerTable,
});
