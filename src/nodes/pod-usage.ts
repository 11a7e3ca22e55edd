import type { Pod } from '../model/generated/core-v1.ts';
import { parseQuantity, QuantityError } from '../model/quantity.ts';
import type { PodUsage } from '../reconcile/pods/pod-usage.ts';
import { KWOK_USAGE } from './annotations.ts';

/** Length of a measurement, milliseconds. */
const WINDOW = 10_000;
/** What a container uses of memory if its Pod says only how much of a processor. */
const DEFAULT_MEMORY = '100Mi';

const isQuantity = (text: string): boolean => {
  try {
    parseQuantity(text);
    return true;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
};

/**
 * What each container of a running Pod uses, as the Pod's annotations say: kwok's `kwok.x-k8s.io/usage-cpu` and
 * `kwok.x-k8s.io/usage-memory`. A value that is no quantity counts as absent.
 * @param now milliseconds since the epoch
 * @returns undefined for a Pod that is not measured: it does not run, or does not say what it uses of a processor
 */
export function podUsage({ metadata = {}, spec, status }: Pod, now: number): PodUsage | undefined {
  const { name = '', namespace = '', annotations = {}, deletionTimestamp } = metadata;
  const amount = (resource: string): string | undefined => {
    const annotation = `${KWOK_USAGE}${resource}`;
    const text = Object.hasOwn(annotations, annotation) ? annotations[annotation]! : undefined;
    return text !== undefined && isQuantity(text) ? text : undefined;
  };
  const cpu = amount('cpu');
  if (cpu === undefined || status?.phase !== 'Running' || deletionTimestamp !== undefined) return undefined;
  const usage = { cpu, memory: amount('memory') ?? DEFAULT_MEMORY };
  const containers = (spec?.containers ?? []).map((container) => ({ name: container.name ?? '', usage }));
  return { pod: name, namespace, containers, at: now, window: WINDOW };
}
