import type {
  MetricSpec as PlainMetric,
  MetricStatus as PlainStatus,
} from '../../model/generated/autoscaling-v1.ts';
import type {
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '../../model/generated/autoscaling-v2.ts';

const ZERO = '0';

/** The v1 members of the metric of an object or of pods. */
const selected = (metric?: MetricIdentifier) => ({ metricName: metric?.name, selector: metric?.selector });

/** The v1 members of an external metric. */
const externallySelected = (metric?: MetricIdentifier) => ({
  metricName: metric?.name,
  metricSelector: metric?.selector,
});

const resourceTargets = (target?: MetricTarget) => ({
  targetAverageUtilization: target?.averageUtilization,
  targetAverageValue: target?.averageValue,
});

const resourceCurrent = (current?: MetricValueStatus) => ({
  currentAverageUtilization: current?.averageUtilization,
  currentAverageValue: current?.averageValue ?? ZERO,
});

/**
 * Converts a metric to v1, where target values are separate fields; a missing required value becomes zero.
 */
export function toPlainMetric(metric: MetricSpec): PlainMetric {
  const { type, object, pods, resource, containerResource, external } = metric;
  return {
    type,
    object: object && {
      ...selected(object.metric),
      target: object.describedObject,
      targetValue: object.target?.value ?? ZERO,
      averageValue: object.target?.averageValue,
    },
    pods: pods && { ...selected(pods.metric), targetAverageValue: pods.target?.averageValue ?? ZERO },
    resource: resource && { name: resource.name, ...resourceTargets(resource.target) },
    containerResource: containerResource && {
      name: containerResource.name,
      container: containerResource.container,
      ...resourceTargets(containerResource.target),
    },
    external: external && {
      ...externallySelected(external.metric),
      targetValue: external.target?.value,
      targetAverageValue: external.target?.averageValue,
    },
  };
}

/** Converts a metric from v1; the values that are set determine the target type. */
export function fromPlainMetric(metric: PlainMetric): MetricSpec {
  const { type, object, pods, resource, containerResource, external } = metric;
  return {
    type,
    object: object && {
      describedObject: object.target,
      metric: { name: object.metricName, selector: object.selector },
      target: {
        type: object.averageValue === undefined ? 'Value' : 'AverageValue',
        value: object.targetValue,
        averageValue: object.averageValue,
      },
    },
    pods: pods && {
      metric: { name: pods.metricName, selector: pods.selector },
      target: { type: 'AverageValue', averageValue: pods.targetAverageValue },
    },
    resource: resource && { name: resource.name, target: resourceTarget(resource) },
    containerResource: containerResource && {
      name: containerResource.name,
      container: containerResource.container,
      target: resourceTarget(containerResource),
    },
    external: external && {
      metric: { name: external.metricName, selector: external.metricSelector },
      target: {
        type: external.targetValue === undefined ? 'AverageValue' : 'Value',
        value: external.targetValue,
        averageValue: external.targetAverageValue,
      },
    },
  };
}

function resourceTarget({
  targetAverageUtilization,
  targetAverageValue,
}: {
  targetAverageUtilization?: number;
  targetAverageValue?: string;
}) {
  return {
    type: targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization',
    averageUtilization: targetAverageUtilization,
    averageValue: targetAverageValue,
  };
}

/** Converts the status of a metric to v1; a missing required value becomes zero. */
export function toPlainStatus(status: MetricStatus): PlainStatus {
  const { type, object, pods, resource, containerResource, external } = status;
  return {
    type,
    object: object && {
      ...selected(object.metric),
      target: object.describedObject,
      currentValue: object.current?.value ?? ZERO,
      averageValue: object.current?.averageValue,
    },
    pods: pods && { ...selected(pods.metric), currentAverageValue: pods.current?.averageValue ?? ZERO },
    resource: resource && { name: resource.name, ...resourceCurrent(resource.current) },
    containerResource: containerResource && {
      name: containerResource.name,
      container: containerResource.container,
      ...resourceCurrent(containerResource.current),
    },
    external: external && {
      ...externallySelected(external.metric),
      currentValue: external.current?.value ?? ZERO,
      currentAverageValue: external.current?.averageValue,
    },
  };
}

/** Converts the status of a metric from v1. */
export function fromPlainStatus(status: PlainStatus): MetricStatus {
  const { type, object, pods, resource, containerResource, external } = status;
  return {
    type,
    object: object && {
      describedObject: object.target,
      metric: { name: object.metricName, selector: object.selector },
      current: { value: object.currentValue, averageValue: object.averageValue },
    },
    pods: pods && {
      metric: { name: pods.metricName, selector: pods.selector },
      current: { averageValue: pods.currentAverageValue },
    },
    resource: resource && { name: resource.name, current: resourceValue(resource) },
    containerResource: containerResource && {
      name: containerResource.name,
      container: containerResource.container,
      current: resourceValue(containerResource),
    },
    external: external && {
      metric: { name: external.metricName, selector: external.metricSelector },
      current: { value: external.currentValue, averageValue: external.currentAverageValue },
    },
  };
}

const resourceValue = (current: { currentAverageUtilization?: number; currentAverageValue?: string }) => ({
  averageUtilization: current.currentAverageUtilization,
  averageValue: current.currentAverageValue,
});
