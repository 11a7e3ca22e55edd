import type { HorizontalPodAutoscaler as PlainAutoscaler } from '../../model/generated/autoscaling-v1.ts';
import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
} from '../../model/generated/autoscaling-v2.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import type { Conversion } from '../strategy.ts';
import { setMetricDefaults } from './horizontal-pod-autoscaler-defaults.ts';
import * as carriers from './metrics-annotations.ts';
import { fromPlainMetric, fromPlainStatus, toPlainMetric, toPlainStatus } from './metrics-conversion.ts';

const CPU = 'cpu';

/** Returns whether a metric is CPU utilization, the only one that v1 has a field for. */
const isCpuUtilization = ({ type, resource }: MetricSpec): boolean =>
  type === 'Resource' && resource?.name === CPU && resource.target?.averageUtilization !== undefined;

function toStorage({ metadata, spec = {}, status = {}, ...rest }: PlainAutoscaler): HorizontalPodAutoscaler {
  const { targetCPUUtilizationPercentage: target, ...keptSpec } = spec;
  const { currentCPUUtilizationPercentage: current, ...keptStatus } = status;
  const annotations = metadata?.annotations;
  const cpu: MetricSpec[] =
    target === undefined
      ? []
      : [
          {
            type: 'Resource',
            resource: { name: CPU, target: { type: 'Utilization', averageUtilization: target } },
          },
        ];
  const cpuStatus: MetricStatus[] | undefined =
    current === undefined
      ? undefined
      : [{ type: 'Resource', resource: { name: CPU, current: { averageUtilization: current } } }];
  const metrics = [...(carriers.readMetrics(annotations) ?? []).map(fromPlainMetric), ...cpu];
  const converted: HorizontalPodAutoscaler = {
    ...rest,
    metadata: { ...metadata, annotations: carriers.withoutConversionAnnotations(annotations) },
    spec: {
      ...keptSpec,
      metrics: metrics.length === 0 ? undefined : metrics,
      behavior: carriers.readBehavior(annotations),
    },
    status: {
      ...keptStatus,
      currentMetrics: carriers.readCurrentMetrics(annotations)?.map(fromPlainStatus) ?? cpuStatus,
      conditions: carriers.readConditions(annotations),
    },
  };
  setMetricDefaults(converted);
  return converted;
}

function fromStorage(
  { metadata, spec = {}, status = {}, ...rest }: HorizontalPodAutoscaler,
  context: Pick<RuleContext, 'has'>,
): PlainAutoscaler {
  const { metrics = [], behavior, ...keptSpec } = spec;
  const { currentMetrics = [], conditions = [], ...keptStatus } = status;
  const others = metrics.filter((metric) => !isCpuUtilization(metric)).map(toPlainMetric);
  const annotations = {
    ...metadata?.annotations,
    ...(others.length > 0 ? { [carriers.METRICS]: carriers.writeMetrics(others) } : {}),
    ...(currentMetrics.length > 0
      ? { [carriers.CURRENT_METRICS]: carriers.writeCurrentMetrics(currentMetrics.map(toPlainStatus)) }
      : {}),
    ...(conditions.length > 0 ? { [carriers.CONDITIONS]: carriers.writeConditions(conditions) } : {}),
    ...(behavior === undefined ? {} : { [carriers.BEHAVIOR]: carriers.writeBehavior(behavior, context) }),
  };
  return {
    ...rest,
    metadata: { ...metadata, annotations: Object.keys(annotations).length === 0 ? undefined : annotations },
    spec: {
      ...keptSpec,
      targetCPUUtilizationPercentage: metrics.find(isCpuUtilization)?.resource?.target?.averageUtilization,
    },
    status: {
      ...keptStatus,
      currentCPUUtilizationPercentage: currentMetrics.find(
        ({ type, resource }) => type === 'Resource' && resource?.name === CPU,
      )?.resource?.current?.averageUtilization,
    },
  };
}

/** Converts between autoscaling/v1 and the storage version autoscaling/v2. */
export const plainConversion = (context: Pick<RuleContext, 'has'>): Conversion => ({
  toStorage: (object) => toStorage(object as PlainAutoscaler) as KubernetesObject,
  fromStorage: (object) => fromStorage(object as HorizontalPodAutoscaler, context) as KubernetesObject,
});
