import type {
  MetricSpec as PlainMetric,
  MetricStatus as PlainStatus,
} from '../../../model/generated/autoscaling-v1.ts';
import type { MetricSpec, MetricStatus } from '../../../model/generated/autoscaling-v2.ts';

const ZERO = '0';

/**
 * Converts a metric to v1, where target values are separate fields; a missing required value becomes zero.
 */
export function toPlainMetric({
  type,
  object,
  pods,
  resource,
  containerResource,
  external,
}: MetricSpec): PlainMetric {
  const plain: PlainMetric = { type };
  if (object) {
    const { metric, target, describedObject } = object;
    plain.object = {
      target: describedObject,
      metricName: metric?.name,
      targetValue: target?.value ?? ZERO,
      selector: metric?.selector,
      averageValue: target?.averageValue,
    };
  }
  if (pods)
    plain.pods = {
      metricName: pods.metric?.name,
      targetAverageValue: pods.target?.averageValue ?? ZERO,
      selector: pods.metric?.selector,
    };
  if (resource)
    plain.resource = {
      name: resource.name,
      targetAverageUtilization: resource.target?.averageUtilization,
      targetAverageValue: resource.target?.averageValue,
    };
  if (containerResource) {
    const { name, container, target } = containerResource;
    plain.containerResource = {
      name,
      targetAverageUtilization: target?.averageUtilization,
      targetAverageValue: target?.averageValue,
      container,
    };
  }
  if (external) {
    const { metric, target } = external;
    plain.external = {
      metricName: metric?.name,
      metricSelector: metric?.selector,
      targetValue: target?.value,
      targetAverageValue: target?.averageValue,
    };
  }
  return plain;
}

/** Converts a metric from v1; the values that are set determine the target type. */
export function fromPlainMetric({
  type,
  object,
  pods,
  resource,
  containerResource,
  external,
}: PlainMetric): MetricSpec {
  const metric: MetricSpec = { type };
  if (object) {
    const { target, metricName, targetValue, selector, averageValue } = object;
    metric.object = {
      describedObject: target,
      metric: { name: metricName, selector },
      target: {
        type: averageValue === undefined ? 'Value' : 'AverageValue',
        value: targetValue,
        averageValue,
      },
    };
  }
  if (pods)
    metric.pods = {
      metric: { name: pods.metricName, selector: pods.selector },
      target: { type: 'AverageValue', averageValue: pods.targetAverageValue },
    };
  if (resource) metric.resource = { name: resource.name, target: resourceTarget(resource) };
  if (containerResource)
    metric.containerResource = {
      name: containerResource.name,
      container: containerResource.container,
      target: resourceTarget(containerResource),
    };
  if (external) {
    const { metricName, metricSelector, targetValue, targetAverageValue } = external;
    metric.external = {
      metric: { name: metricName, selector: metricSelector },
      target: {
        type: targetValue === undefined ? 'AverageValue' : 'Value',
        value: targetValue,
        averageValue: targetAverageValue,
      },
    };
  }
  return metric;
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

export function toPlainStatus({
  type,
  object,
  pods,
  resource,
  containerResource,
  external,
}: MetricStatus): PlainStatus {
  const plain: PlainStatus = { type };
  if (object) {
    const { metric, current, describedObject } = object;
    plain.object = {
      target: describedObject,
      metricName: metric?.name,
      currentValue: current?.value ?? ZERO,
      selector: metric?.selector,
      averageValue: current?.averageValue,
    };
  }
  if (pods)
    plain.pods = {
      metricName: pods.metric?.name,
      currentAverageValue: pods.current?.averageValue ?? ZERO,
      selector: pods.metric?.selector,
    };
  if (resource) {
    const { name, current } = resource;
    plain.resource = {
      name,
      currentAverageUtilization: current?.averageUtilization,
      currentAverageValue: current?.averageValue ?? ZERO,
    };
  }
  if (containerResource) {
    const { name, container, current } = containerResource;
    plain.containerResource = {
      name,
      currentAverageUtilization: current?.averageUtilization,
      currentAverageValue: current?.averageValue ?? ZERO,
      container,
    };
  }
  if (external) {
    const { metric, current } = external;
    plain.external = {
      metricName: metric?.name,
      metricSelector: metric?.selector,
      currentValue: current?.value ?? ZERO,
      currentAverageValue: current?.averageValue,
    };
  }
  return plain;
}

export function fromPlainStatus({
  type,
  object,
  pods,
  resource,
  containerResource,
  external,
}: PlainStatus): MetricStatus {
  const status: MetricStatus = { type };
  if (object) {
    const { target, metricName, currentValue, selector, averageValue } = object;
    status.object = {
      describedObject: target,
      metric: { name: metricName, selector },
      current: { value: currentValue, averageValue },
    };
  }
  if (pods)
    status.pods = {
      metric: { name: pods.metricName, selector: pods.selector },
      current: { averageValue: pods.currentAverageValue },
    };
  if (resource) {
    const { name, currentAverageUtilization, currentAverageValue } = resource;
    status.resource = {
      name,
      current: { averageUtilization: currentAverageUtilization, averageValue: currentAverageValue },
    };
  }
  if (containerResource) {
    const { name, container, currentAverageUtilization, currentAverageValue } = containerResource;
    status.containerResource = {
      name,
      container,
      current: { averageUtilization: currentAverageUtilization, averageValue: currentAverageValue },
    };
  }
  if (external) {
    const { metricName, metricSelector, currentValue, currentAverageValue } = external;
    status.external = {
      metric: { name: metricName, selector: metricSelector },
      current: { value: currentValue, averageValue: currentAverageValue },
    };
  }
  return status;
}
