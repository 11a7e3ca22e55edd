import type { HorizontalPodAutoscaler, MetricTarget } from '../../model/generated/autoscaling-v2.ts';
import { getMember } from '../../model/object.ts';
import type { Cell } from '../table.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { firstOf } from '../tables/format.ts';

type Amount = Omit<MetricTarget, 'type'>;

/** What the cell of a metric is made of. */
interface Metric {
  readonly type: string;
  readonly name: string;
  readonly target: Amount;
  /** Undefined if the status does not have the metric. */
  readonly current: Amount | undefined;
}
/** Members of a metric's specification or status. */
interface Source {
  readonly name?: string;
  readonly target?: Amount;
  readonly current?: Amount;
}

const PERCENT = (share: number | undefined): string | undefined =>
  share === undefined ? undefined : `${share}%`;

/** A quantity of the status; `absent` stands for a status that has another one, or none. */
function currentText({ current }: Metric, member: 'value' | 'averageValue', absent: string): string {
  return current === undefined ? '<unknown>' : (current[member] ?? absent);
}

/** Formats current and target value, such as `10m/20m (avg)` or `cpu: 5%/80%`. */
function metricText(metric: Metric): string {
  const { type, name, target, current } = metric;
  const average = (absent: string): string =>
    `${currentText(metric, 'averageValue', absent)}/${target.averageValue ?? '<nil>'}`;
  switch (type) {
    case 'Pods':
      return average('<nil>');
    case 'Object':
    case 'External':
      return target.averageValue !== undefined
        ? `${average('<unknown>')} (avg)`
        : `${currentText(metric, 'value', '<nil>')}/${target.value ?? '<nil>'}`;
    case 'Resource':
    case 'ContainerResource':
      return target.averageValue !== undefined
        ? `${name}: ${average('<nil>')}`
        : `${name}: ${PERCENT(current?.averageUtilization) ?? '<unknown>'}/${PERCENT(target.averageUtilization) ?? '<auto>'}`;
    default:
      return '<unknown type>';
  }
}

/** Returns the member that the type names: `Pods` → `pods`. */
const sourceOf = (metric: object | undefined, type: string): Source | undefined => {
  const member = getMember(metric ?? {}, type.charAt(0).toLowerCase() + type.slice(1));
  return typeof member === 'object' && member !== null ? member : undefined;
};

function metricsOf({ spec, status }: HorizontalPodAutoscaler): Metric[] {
  return (spec?.metrics ?? []).map((metric, index) => {
    const { type = '' } = metric;
    const source = sourceOf(metric, type);
    const reported = sourceOf(status?.currentMetrics?.[index], type);
    return {
      type,
      name: source?.name ?? '',
      target: source?.target ?? {},
      current: reported && (reported.current ?? {}),
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
