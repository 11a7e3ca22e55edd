import type { HorizontalPodAutoscaler as AutoscalerV1 } from '../../../model/generated/autoscaling-v1.ts';
import type { HorizontalPodAutoscaler as AutoscalerV2 } from '../../../model/generated/autoscaling-v2.ts';
import type { Cell } from '../../table.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../../tables/define.ts';
import { firstOf } from '../../tables/format.ts';

interface Amount {
  value?: string;
  averageValue?: string;
  averageUtilization?: number;
}
/** A metric in any version. */
interface Metric {
  readonly type: string;
  readonly name: string;
  readonly target: Amount;
  readonly current: Amount | undefined;
}

const PERCENT = (share: number | undefined): string | undefined =>
  share === undefined ? undefined : `${share}%`;

/** Formats current and target value, such as `10m/20m (avg)` or `cpu: 5%/80%`. */
function metricText({ type, name, target, current }: Metric): string {
  const average = `${current?.averageValue ?? '<unknown>'}/${target.averageValue ?? '0'}`;
  switch (type) {
    case 'Pods':
      return average;
    case 'Object':
    case 'External':
      return target.averageValue !== undefined
        ? `${average} (avg)`
        : `${current?.value ?? '<unknown>'}/${target.value ?? '0'}`;
    case 'Resource':
    case 'ContainerResource':
      return target.averageValue !== undefined
        ? `${name}: ${average}`
        : `${name}: ${PERCENT(current?.averageUtilization) ?? '<unknown>'}/${PERCENT(target.averageUtilization) ?? '<auto>'}`;
    default:
      return '<unknown type>';
  }
}

/** Returns the member that the type names: `Pods` → `pods`. */
const sourceOf = (metric: object | undefined, type: string): Record<string, unknown> => {
  const source = (metric as Record<string, unknown> | undefined)?.[
    type.charAt(0).toLowerCase() + type.slice(1)
  ];
  return source !== null && typeof source === 'object' ? (source as Record<string, unknown>) : {};
};

function metricsOf({ spec, status }: AutoscalerV2): Metric[] {
  return (spec?.metrics ?? []).map((metric, index) => {
    const { type = '' } = metric;
    const source = sourceOf(metric, type);
    return {
      type,
      name: String(source['name'] ?? ''),
      target: (source['target'] ?? {}) as Amount,
      current: sourceOf(status?.currentMetrics?.[index], type)['current'] as Amount | undefined,
    };
  });
}

const METRICS_ANNOTATION = 'autoscaling.alpha.kubernetes.io/metrics';
const CURRENT_ANNOTATION = 'autoscaling.alpha.kubernetes.io/current-metrics';

/** Reads metrics that v1 has no fields for from an annotation; an invalid annotation is ignored. */
function annotated({ metadata }: AutoscalerV1, key: string): Record<string, unknown>[] {
  const { annotations = {} } = metadata ?? {};
  if (!Object.hasOwn(annotations, key)) return [];
  try {
    const parsed: unknown = JSON.parse(annotations[key]!);
    return Array.isArray(parsed) ? parsed.filter((one) => one !== null && typeof one === 'object') : [];
  } catch {
    return [];
  }
}

/** Reads the values of a metric in annotation form: `targetAverageValue`, `currentValue`, … */
function annotatedAmount(source: Record<string, unknown>, prefix: 'target' | 'current'): Amount {
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const share = source[`${prefix}AverageUtilization`];
  return {
    value: text(source[`${prefix}Value`]),
    averageValue: text(source[`${prefix}AverageValue`]) ?? text(source['averageValue']),
    averageUtilization: typeof share === 'number' ? share : undefined,
  };
}

function metricsOfV1(object: AutoscalerV1): Metric[] {
  const currents = annotated(object, CURRENT_ANNOTATION);
  const metrics = annotated(object, METRICS_ANNOTATION).map((metric, index): Metric => {
    const type = String(metric['type'] ?? '');
    const source = sourceOf(metric, type);
    return {
      type,
      name: String(source['name'] ?? ''),
      target: annotatedAmount(source, 'target'),
      current: annotatedAmount(sourceOf(currents[index], type), 'current'),
    };
  });
  const targetPercent = object.spec?.targetCPUUtilizationPercentage;
  if (targetPercent === undefined) return metrics;
  return [
    ...metrics,
    {
      type: 'Resource',
      name: 'cpu',
      target: { averageUtilization: targetPercent },
      current: { averageUtilization: object.status?.currentCPUUtilizationPercentage },
    },
  ];
}

function autoscalerCells(object: AutoscalerV1 | AutoscalerV2): Cell[] {
  const { spec, status } = object;
  const metrics =
    object.apiVersion === 'autoscaling/v1'
      ? metricsOfV1(object as AutoscalerV1)
      : metricsOf(object as AutoscalerV2);
  return [
    nameOf(object),
    `${spec?.scaleTargetRef?.kind ?? ''}/${spec?.scaleTargetRef?.name ?? ''}`,
    firstOf(metrics.map(metricText), 2, '<none>', ', '),
    spec?.minReplicas === undefined ? '<unset>' : String(spec.minReplicas),
    spec?.maxReplicas ?? 0,
    status?.currentReplicas ?? 0,
    ageOf(object),
  ];
}

export const horizontalPodAutoscalerTable = table<AutoscalerV1 | AutoscalerV2>(
  [
    NAME,
    column('Reference', 'Scale target.'),
    column('Targets', 'Current and target values of the metrics.'),
    column('MinPods', 'Minimum number of pods.'),
    column('MaxPods', 'Maximum number of pods.'),
    column('Replicas', 'Number of existing pods.'),
    AGE,
  ],
  autoscalerCells,
);
