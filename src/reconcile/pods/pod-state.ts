import type { Pod, PodCondition } from '../../model/generated/core-v1.ts';
import { timeToMilliseconds } from '../../model/time.ts';

/** Whether all containers have ended for good. */
export const isFinished = ({ status }: Pod): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** Whether a Pod counts as one that its controller has: neither finished nor being deleted. */
export const isActive = (pod: Pod): boolean =>
  pod.metadata?.deletionTimestamp === undefined && !isFinished(pod);

/** Whether the containers of a Pod are being stopped because it is being deleted. */
export const isTerminating = (pod: Pod): boolean =>
  pod.metadata?.deletionTimestamp !== undefined && !isFinished(pod);

export const podCondition = ({ status }: Pod, type: string): PodCondition | undefined =>
  status?.conditions?.find((condition) => condition.type === type);

export const isReady = (pod: Pod): boolean => podCondition(pod, 'Ready')?.status === 'True';

/** When a Pod became ready, in milliseconds since the epoch; undefined if it is not, or does not say. */
export function readySince(pod: Pod): number | undefined {
  const { status, lastTransitionTime } = podCondition(pod, 'Ready') ?? {};
  return status === 'True' && lastTransitionTime ? timeToMilliseconds(lastTransitionTime) : undefined;
}

/**
 * When a ready Pod counts as available: at once without a minimum, else when it has been ready for that long.
 * @returns milliseconds since the epoch; undefined for a Pod that is not ready, or does not say since when
 */
export function availableAt(pod: Pod, minReadySeconds: number): number | undefined {
  if (!isReady(pod)) return undefined;
  if (minReadySeconds === 0) return Number.NEGATIVE_INFINITY;
  const since = readySince(pod);
  return since === undefined ? undefined : since + minReadySeconds * 1000;
}

/** Whether a Pod is available at `now`. */
export const isAvailable = (pod: Pod, minReadySeconds: number, now: number): boolean =>
  (availableAt(pod, minReadySeconds) ?? Number.POSITIVE_INFINITY) <= now;

/** Milliseconds until the next of the ready Pods becomes available; undefined if none does. */
export function untilAvailable(
  pods: readonly Pod[],
  minReadySeconds: number,
  now: number,
): number | undefined {
  const times = pods.flatMap((pod) => availableAt(pod, minReadySeconds) ?? []).filter((time) => time > now);
  return times.length === 0 ? undefined : times.reduce((least, time) => Math.min(least, time)) - now;
}
