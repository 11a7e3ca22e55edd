import type { Pod, PodCondition } from '../../../model/generated/core-v1.ts';

/** Sets the condition of a new pod whose scheduling gates block scheduling. */
export function setGatedCondition(pod: Pod, now: string): void {
  if ((pod.spec?.schedulingGates ?? []).length === 0) return;
  setPodCondition(
    pod,
    {
      type: 'PodScheduled',
      status: 'False',
      reason: 'SchedulingGated',
      message: 'Scheduling is blocked due to non-empty scheduling gates',
    },
    now,
  );
}

/**
 * Adds or replaces a condition by type; the transition time changes only with the status.
 * @param now RFC 3339 timestamp in seconds
 */
export function setPodCondition(pod: Pod, condition: PodCondition, now: string): void {
  pod.status ??= {};
  const conditions = pod.status.conditions ?? [];
  const old = conditions.find(({ type }) => type === condition.type);
  const next = {
    ...condition,
    lastTransitionTime: old !== undefined && old.status === condition.status ? old.lastTransitionTime : now,
  };
  pod.status.conditions =
    old === undefined ? [...conditions, next] : conditions.map((one) => (one === old ? next : one));
}
