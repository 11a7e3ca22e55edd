import type { DeploymentCondition, ReplicaSet } from '../../model/generated/apps-v1.ts';
import { formatTime } from '../../model/time.ts';

export type Conditions = readonly DeploymentCondition[];

/** Reasons of the condition Progressing. */
export const PROGRESS = {
  created: 'NewReplicaSetCreated',
  found: 'FoundNewReplicaSet',
  updated: 'ReplicaSetUpdated',
  complete: 'NewReplicaSetAvailable',
  timedOut: 'ProgressDeadlineExceeded',
  paused: 'DeploymentPaused',
  resumed: 'DeploymentResumed',
  failed: 'ReplicaSetCreateError',
} as const;

export const PROGRESSING = 'Progressing';
const AVAILABLE = 'Available';
const FAILURE = 'ReplicaFailure';

export const findCondition = (conditions: Conditions, type: string): DeploymentCondition | undefined =>
  conditions.find((condition) => condition.type === type);

export const withoutCondition = (conditions: Conditions, type: string): Conditions =>
  conditions.filter((condition) => condition.type !== type);

/** A condition that begins now. */
export function newCondition(
  type: string,
  status: 'True' | 'False' | 'Unknown',
  reason: string,
  message: string,
  now: number,
): DeploymentCondition {
  const time = formatTime(now);
  return { type, status, lastUpdateTime: time, lastTransitionTime: time, reason, message };
}

/** Replaces a condition unless status and reason stay; the time of the transition stays with the status. */
export function withCondition(conditions: Conditions, condition: DeploymentCondition): Conditions {
  const current = findCondition(conditions, condition.type!);
  if (current?.status === condition.status && current?.reason === condition.reason) return conditions;
  return [...withoutCondition(conditions, condition.type!), keepingTransition(condition, current)];
}

/** Replaces a condition although status and reason stay, so that the time of the update shows that. */
export const withRenewedCondition = (conditions: Conditions, condition: DeploymentCondition): Conditions => [
  ...withoutCondition(conditions, condition.type!),
  keepingTransition(condition, findCondition(conditions, condition.type!)),
];

const keepingTransition = (
  condition: DeploymentCondition,
  current: DeploymentCondition | undefined,
): DeploymentCondition =>
  current?.status === condition.status && current?.lastTransitionTime
    ? { ...condition, lastTransitionTime: current.lastTransitionTime }
    : condition;

export const availability = (isAvailable: boolean, now: number): DeploymentCondition =>
  isAvailable
    ? newCondition(AVAILABLE, 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.', now)
    : newCondition(
        AVAILABLE,
        'False',
        'MinimumReplicasUnavailable',
        'Deployment does not have minimum availability.',
        now,
      );

/** The failure of the current ReplicaSet to change its Pods, else that of any other one, or none. */
export function withFailureOf(
  conditions: Conditions,
  current: ReplicaSet | undefined,
  all: readonly ReplicaSet[],
): Conditions {
  for (const set of current === undefined ? all : [current, ...all]) {
    const failure = set.status?.conditions?.find(({ type }) => type === FAILURE);
    if (failure === undefined) continue;
    const { status, reason, message, lastTransitionTime } = failure;
    const condition = {
      type: FAILURE,
      status,
      lastUpdateTime: lastTransitionTime,
      lastTransitionTime,
      reason,
      message,
    };
    return withCondition(conditions, condition as DeploymentCondition);
  }
  return withoutCondition(conditions, FAILURE);
}
