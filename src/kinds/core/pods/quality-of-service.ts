import type { PodSpec } from '../../../model/generated/core-v1.ts';
import { addQuantities, compareQuantities, type Quantity } from '../../../model/quantity.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { quantityTextSign, readQuantity } from '../../validation/quantities.ts';
import { isPodLevelResource, POD_LEVEL_RESOURCES } from './pod-level-resources.ts';

const QOS_RESOURCES = ['cpu', 'memory'];

/** Returns the QoS class of a pod from the CPU and memory requests and limits of its containers. */
export function qualityOfService(
  spec: PodSpec,
  context: RuleContext,
): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const { isOn } = context;
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  let isGuaranteed = true;
  const isPodLevel = isOn(POD_LEVEL_RESOURCES) && decides(spec.resources, context);
  for (const { resources } of isPodLevel
    ? [spec]
    : [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    addAmounts(requests, resources?.requests);
    const limited = addAmounts(limits, resources?.limits);
    // A pod without limits of its own is not guaranteed either, because it has requests.
    isGuaranteed &&= limited === QOS_RESOURCES.length;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  isGuaranteed &&=
    requests.size === limits.size &&
    [...requests].every(
      ([name, amount]) => limits.has(name) && compareQuantities(limits.get(name)!, amount) === 0,
    );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

/** Whether the resources of a whole pod decide its class: where the fix is on, only those that name some. */
const decides = (resources: PodSpec['resources'], context: RuleContext): boolean =>
  resources !== undefined &&
  (!context.isOn('PodLevelResourcesFixKubeletQOSClass') ||
    [resources.requests, resources.limits].some((list) =>
      Object.keys(list ?? {}).some((name) => isPodLevelResource(name, context)),
    ));

/** Adds the positive CPU and memory amounts to the sums; returns their number. */
function addAmounts(sums: Map<string, Quantity>, list: Readonly<Record<string, string>> | undefined): number {
  const names = QOS_RESOURCES.filter(
    (name) => list !== undefined && Object.hasOwn(list, name) && quantityTextSign(list[name]) > 0,
  );
  for (const name of names) {
    const amount = readQuantity(list![name]);
    const sum = sums.get(name);
    sums.set(name, sum === undefined ? amount : addQuantities(sum, amount));
  }
  return names.length;
}
