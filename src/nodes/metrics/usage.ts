import type { Pod } from '../../model/generated/core-v1.ts';
import { parseQuantity, quantitySign } from '../../model/quantity.ts';
import type { PodUsage } from '../../reconcile/pods/pod-usage.ts';
import { isRunning } from '../answers/container-state.ts';

/** kwok's annotations of what each container of a Pod uses. */
const ANNOTATIONS: Readonly<Record<string, string>> = {
  cpu: 'kwok.x-k8s.io/usage-cpu',
  memory: 'kwok.x-k8s.io/usage-memory',
};
const DEFAULTS: Readonly<Record<string, string>> = { cpu: '1m', memory: '1Mi' };
/** Milliseconds of a measurement. */
const WINDOW = 15_000;

/**
 * What the containers of a simulated Pod use at present; undefined for a Pod that does not run.
 * @param now the cluster's time in milliseconds
 */
export function usageOf(pod: Pod, now: number): PodUsage | undefined {
  const { metadata = {}, spec, status } = pod;
  if (status?.phase !== 'Running') return undefined;
  const usage = Object.fromEntries(
    Object.entries(ANNOTATIONS).map(([resource, annotation]) => [
      resource,
      amountOf(metadata.annotations?.[annotation]) ?? DEFAULTS[resource]!,
    ]),
  );
  const containers = (spec?.containers ?? []).filter(({ name = '' }) => isRunning(pod, name));
  return {
    pod: metadata.name ?? '',
    namespace: metadata.namespace ?? '',
    containers: containers.map(({ name = '' }) => ({ name, usage })),
    at: now,
    window: WINDOW,
  };
}

/** A quantity of at least 0; undefined for a text that is none. */
function amountOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return quantitySign(parseQuantity(text)) >= 0 ? text : undefined;
  } catch {
    return undefined;
  }
}
