import type { Deployment, DeploymentStatus } from '../../model/generated/apps-v1.ts';
import { timeToMilliseconds } from '../../model/time.ts';
import { nonZero } from '../../reconcile/equality.ts';
import {
  availability,
  type Conditions,
  findCondition,
  newCondition,
  PROGRESS,
  PROGRESSING,
  withCondition,
  withFailureOf,
  withoutCondition,
  withRenewedCondition,
} from './conditions.ts';
import { actual, available, boundsOf, type ReplicaSets, sum, wanted } from './replica-sets.ts';

/** The value of a deadline or a limit that means none. */
const NONE = 2 ** 31 - 1;

/** Seconds in which a rollout has to progress; undefined if it need not. */
export function deadlineOf({ spec }: Deployment): number | undefined {
  const { progressDeadlineSeconds } = spec ?? {};
  return progressDeadlineSeconds === NONE ? undefined : progressDeadlineSeconds;
}

/** Old ReplicaSets that are kept; undefined for all. */
export function historyLimitOf({ spec }: Deployment): number | undefined {
  const { revisionHistoryLimit } = spec ?? {};
  return revisionHistoryLimit === NONE ? undefined : revisionHistoryLimit;
}

/** The status without regard to a rollout. */
export function countStatus(
  deployment: Deployment,
  { current, all, terminating }: ReplicaSets,
  now: number,
): DeploymentStatus {
  const { collisionCount, conditions = [] } = deployment.status ?? {};
  const availableReplicas = sum(all, available);
  const isAvailable = availableReplicas >= wanted(deployment) - boundsOf(deployment).unavailable;
  return {
    ...nonZero({
      observedGeneration: deployment.metadata?.generation ?? 0,
      replicas: sum(all, actual),
      updatedReplicas: current === undefined ? 0 : actual(current),
      readyReplicas: sum(all, ({ status }) => status?.readyReplicas ?? 0),
      availableReplicas,
      unavailableReplicas: Math.max(0, sum(all, wanted) - availableReplicas),
    }),
    ...(terminating !== undefined && { terminatingReplicas: terminating }),
    ...(collisionCount !== undefined && { collisionCount }),
    conditions: [...withCondition(conditions, availability(isAvailable, now))],
  };
}

/** The status during and after a rollout: with its progress, and the failure of a ReplicaSet. */
export function rolloutStatus(deployment: Deployment, sets: ReplicaSets, now: number): DeploymentStatus {
  const counted = countStatus(deployment, sets, now);
  const { conditions: before = [] } = deployment.status ?? {};
  const progressed =
    deadlineOf(deployment) === undefined
      ? withoutCondition(counted.conditions!, PROGRESSING)
      : withProgress(deployment, sets, counted, before, now);
  return { ...counted, conditions: [...withFailureOf(progressed, sets.current, sets.all)] };
}

function withProgress(
  deployment: Deployment,
  { current }: ReplicaSets,
  status: DeploymentStatus,
  before: Conditions,
  now: number,
): Conditions {
  const conditions = status.conditions!;
  const known = findCondition(before, PROGRESSING);
  const { replicas = 0, updatedReplicas = 0 } = status;
  if (replicas === updatedReplicas && known?.reason === PROGRESS.complete) return conditions;
  const subject =
    current === undefined
      ? `Deployment "${deployment.metadata?.name}"`
      : `ReplicaSet "${current.metadata?.name}"`;
  if (isComplete(deployment, status))
    return withCondition(
      conditions,
      newCondition(PROGRESSING, 'True', PROGRESS.complete, `${subject} has successfully progressed.`, now),
    );
  if (hasProgressed(deployment, status))
    return withRenewedCondition(
      conditions,
      newCondition(PROGRESSING, 'True', PROGRESS.updated, `${subject} is progressing.`, now),
    );
  if (hasTimedOut(deployment, now))
    return withCondition(
      conditions,
      newCondition(PROGRESSING, 'False', PROGRESS.timedOut, `${subject} has timed out progressing.`, now),
    );
  return conditions;
}

/** Whether all Pods are of the present template and available, and no others are left. */
export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0, observedGeneration = 0 } = status;
  const count = wanted(deployment);
  return (
    updatedReplicas === count &&
    replicas === count &&
    availableReplicas === count &&
    observedGeneration >= (deployment.metadata?.generation ?? 0)
  );
}

/** Whether a status has more Pods updated, ready or available than the stored one, or fewer old ones. */
function hasProgressed({ status: stored = {} }: Deployment, status: DeploymentStatus): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus): number => replicas - updatedReplicas;
  return (
    (status.updatedReplicas ?? 0) > (stored.updatedReplicas ?? 0) ||
    old(status) < old(stored) ||
    (status.readyReplicas ?? 0) > (stored.readyReplicas ?? 0) ||
    (status.availableReplicas ?? 0) > (stored.availableReplicas ?? 0)
  );
}

function hasTimedOut(deployment: Deployment, now: number): boolean {
  const { reason } = findCondition(deployment.status?.conditions ?? [], PROGRESSING) ?? {};
  if (reason === undefined || reason === PROGRESS.complete) return false;
  if (reason === PROGRESS.timedOut) return true;
  const until = deadlineTime(deployment);
  return until !== undefined && until < now;
}

/** When the deadline of a rollout passes, in milliseconds since the epoch; undefined if none runs. */
export function deadlineTime(deployment: Deployment): number | undefined {
  const seconds = deadlineOf(deployment);
  const { lastUpdateTime, reason } = findCondition(deployment.status?.conditions ?? [], PROGRESSING) ?? {};
  if (seconds === undefined || !lastUpdateTime || reason === PROGRESS.timedOut) return undefined;
  return timeToMilliseconds(lastUpdateTime) + seconds * 1000;
}
