import type { HorizontalPodAutoscaler } from '../../../model/generated/autoscaling-v2.ts';
import type { Cell } from '../../table.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../../tables/define.ts';
import { firstOf } from '../../tables/format.ts';

interface Amount {
  value?: string;
  averageValue?: string;
  averageUtilization?: number;
}
/** What the cell of a metric is made of. */
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

function metricsOf({ spec, status }: HorizontalPodAutoscaler): Metric[] {
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

function autoscalerCells(object: HorizontalPodAutoscaler): Cell[] {
  const { spec, status } = object;
  return [
    nameOf(object),
    `${spec?.scaleTargetRef?.kind ?? ''}/${spec?.scaleTargetRef?.name ?? ''}`,
    firstOf(metricsOf(object).map(metricText), 2, '<none>', ', '),
    spec?.minReplicas === undefined ? '<unset>' : String(spec.minReplicas),
    spec?.maxReplicas ?? 0,
    status?.currentReplicas ?? 0,
    ageOf(object),
  ];
}

export const horizontalPodAutoscalerTable = table<HorizontalPodAutoscaler>(
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
