import { parseQuantity, scaledQuantity } from '../../model/quantity.ts';
import type { PodUsage } from '../../reconcile/pods/pod-usage.ts';
import type { PodMetric, PodMetricsByName } from './metrics.ts';

/** A quantity in thousandths, rounded up. @throws QuantityError */
export const thousandths = (text: string): bigint => scaledQuantity(parseQuantity(text), -3);

/**
 * The usage of a resource by Pods. Pods of which a container was not measured are left out.
 * @param container only that of this container
 * @throws Error if a Pod has no such container, QuantityError
 */
export function resourceMetrics(
  usages: readonly PodUsage[],
  resource: string,
  container: string | undefined,
): PodMetricsByName {
  const found: PodMetricsByName = new Map();
  for (const usage of usages) {
    const value = container === undefined ? sumOf(usage, resource) : amountIn(usage, resource, container);
    if (value !== undefined) found.set(usage.pod, { value, ...timesOf(usage) });
  }
  return found;
}

const timesOf = ({ at, window }: PodUsage): Omit<PodMetric, 'value'> => ({ at, window });

const amountOf = (usage: Readonly<Record<string, string>>, resource: string): bigint | undefined =>
  Object.hasOwn(usage, resource) ? thousandths(usage[resource]!) : undefined;

function sumOf({ containers }: PodUsage, resource: string): bigint | undefined {
  let sum = 0n;
  for (const { usage } of containers) {
    const amount = amountOf(usage, resource);
    if (amount === undefined) return undefined;
    sum += amount;
  }
  return containers.length === 0 ? undefined : sum;
}

function amountIn(
  { namespace, pod, containers }: PodUsage,
  resource: string,
  name: string,
): bigint | undefined {
  const container = containers.find((one) => one.name === name);
  if (container === undefined)
    throw new Error(
      `failed to get container metrics: container ${name} not present in metrics for pod ${namespace}/${pod}`,
    );
  return amountOf(container.usage, resource);
}
