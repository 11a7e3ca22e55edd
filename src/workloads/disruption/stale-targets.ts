import type { Pod } from '../../model/generated/core-v1.ts';
import { formatTime, timeToMilliseconds } from '../../model/time.ts';
import type { ObjectSource } from '../../reader/object-source.ts';
import type { Client } from '../../reconcile/client.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { isFinished, podCondition } from '../../reconcile/pods/pod-state.ts';
import { PODS } from '../../reconcile/resources.ts';

/** The condition of a Pod that is about to be deleted by a disruption. */
const TARGET = 'DisruptionTarget';
/** Time after which the condition of a Pod that is not being deleted is taken back, milliseconds. */
const TIMEOUT = 120_000;

/**
 * Milliseconds until a Pod says wrongly that it is about to be deleted; undefined if it never will. What a kubelet
 * says is never wrong: it may take long until the Pod is deleted.
 * @param now milliseconds since the epoch
 */
export function untilStale(pod: Pod, now: number): number | undefined {
  const { status, reason, lastTransitionTime } = podCondition(pod, TARGET) ?? {};
  if (status !== 'True' || reason === 'TerminationByKubelet') return undefined;
  if (pod.metadata?.deletionTimestamp !== undefined || isFinished(pod)) return undefined;
  const since = lastTransitionTime ? timeToMilliseconds(lastTransitionTime) : 0;
  return Math.max(0, since + TIMEOUT - now);
}

export interface StaleTargetsOptions {
  readonly pods: ObjectSource;
  readonly client: Pick<Client, 'update'>;
  readonly now: () => number;
}

/**
 * Takes the condition of a Pod back that was to be deleted, and was not.
 * @returns milliseconds after which it is to be looked at again; undefined for never
 * @throws ApiError
 */
export async function resetStaleTarget(
  { pods, client, now }: StaleTargetsOptions,
  key: string,
): Promise<number | undefined> {
  const pod = pods.get(key) as Pod | undefined;
  if (pod === undefined || !isManaged(pod.metadata ?? {})) return undefined;
  const wait = untilStale(pod, now());
  if (wait !== 0) return wait;
  const conditions = pod.status?.conditions?.map((condition) =>
    condition.type === TARGET
      ? { type: TARGET, status: 'False', lastTransitionTime: formatTime(now()) }
      : condition,
  );
  await client.update(
    PODS,
    { ...pod, status: { ...pod.status, conditions: conditions! } },
    { subresource: 'status' },
  );
  return undefined;
}
