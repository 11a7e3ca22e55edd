import type { Pod, PodCondition } from '../../model/generated/core-v1.ts';
import { formatTime } from '../../model/time.ts';
import type { Client } from '../../reconcile/client.ts';
import { PODS } from '../../reconcile/resources.ts';
import { ApiError } from '../../status/index.ts';

/** A condition without its times. */
export type NewCondition = Required<Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>>;

/**
 * What a patch of a pod's status changes; undefined if the pod already is like that.
 * @param nominatedNode undefined to leave it as it is, empty for none
 */
export function statusChange(
  { metadata, status = {} }: Pod,
  condition: NewCondition | undefined,
  nominatedNode: string | undefined,
  now: number,
): object | undefined {
  const changed = condition && changedCondition(status.conditions ?? [], condition, now);
  const nominates = nominatedNode !== undefined && nominatedNode !== (status.nominatedNodeName ?? '');
  if (changed === undefined && !nominates) return undefined;
  return {
    metadata: { uid: metadata?.uid },
    status: {
      ...(changed && { conditions: [changed] }),
      ...(nominates && { nominatedNodeName: nominatedNode === '' ? null : nominatedNode }),
    },
  };
}

function changedCondition(
  conditions: readonly PodCondition[],
  condition: NewCondition,
  now: number,
): PodCondition | undefined {
  const known = conditions.find(({ type }) => type === condition.type);
  const { status, reason, message } = known ?? {};
  if (status === condition.status && reason === condition.reason && message === condition.message)
    return undefined;
  const since = status === condition.status ? known?.lastTransitionTime : undefined;
  return { ...condition, lastTransitionTime: since ?? formatTime(now) };
}

/** Writes the status of a pod; that of one which is gone, or was replaced, is nobody's business. */
export async function patchStatus(client: Pick<Client, 'patch'>, pod: Pod, change: object): Promise<void> {
  const { namespace = '', name = '' } = pod.metadata ?? {};
  try {
    await client.patch(PODS, namespace, name, change, { subresource: 'status', isStrategic: true });
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 404 || error.code === 409))) throw error;
  }
}
