import { addQuantities, compareQuantities, type Quantity } from '../../../../model/quantity.ts';
import { quantityTextSign, readQuantity } from '../../../validation/quantities.ts';
import type { PodSpec, ResourceList } from './pod-types.ts';

const QOS_RESOURCES = ['cpu', 'memory'];

/** Class of a pod by what its containers request and are limited to in processor time and memory. */
export function qualityOfService(spec: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  let isGuaranteed = true;
  for (const { resources } of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    addAmounts(requests, resources?.requests);
    const limited = addAmounts(limits, resources?.limits);
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

/** Sums up the counted amounts above zero; answers how many there were. */
function addAmounts(sums: Map<string, Quantity>, list: ResourceList | undefined): number {
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
