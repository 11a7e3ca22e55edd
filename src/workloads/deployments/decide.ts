import type { Deployment, DeploymentStatus, ReplicaSet } from '../../model/generated/apps-v1.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import { isSame } from '../../reconcile/equality.ts';
import { isFinished } from '../../reconcile/pods/pod-state.ts';
import type { Action, Decision } from './actions.ts';
import { findCondition, newCondition, PROGRESS, PROGRESSING, withCondition } from './conditions.ts';
import { adjusted, newReplicaSet } from './new-replica-set.ts';
import { active, actual, divide, isRolling, type ReplicaSets, sum, wanted } from './replica-sets.ts';
import {
  byRevision,
  desiredReplicas,
  hasAnnotations,
  REVISION,
  replicaAnnotations,
  revisionOf,
  rollbackRevision,
} from './revisions.ts';
import { rollBack } from './rollback.ts';
import { rollingStep, type Scale, scaleStep } from './scaling.ts';
import {
  countStatus,
  deadlineOf,
  deadlineTime,
  historyLimitOf,
  isComplete,
  rolloutStatus,
} from './status.ts';

/** After a deadline, in milliseconds: times of conditions have no fractions. */
const AFTER_DEADLINE = 1000;

export interface DeploymentState {
  readonly deployment: Deployment;
  /** Those that it controls and selects. */
  readonly sets: readonly ReplicaSet[];
  /** The Pods of a ReplicaSet, also those that are being deleted. */
  readonly podsOf: (set: ReplicaSet) => readonly Pod[];
  /** Whether the status counts the Pods that terminate. */
  readonly countsTerminating?: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * The next step of a Deployment. Steps that change ReplicaSets do one thing and leave the rest to the reconcile that
 * follows the change, so that every step is decided on what is there.
 */
export function decide(state: DeploymentState): Decision {
  const { deployment, now } = state;
  if (selectsEverything(deployment)) return { actions: refuse(deployment) };
  const sets = divide(deployment, state.sets, state.countsTerminating);
  if (deployment.metadata?.deletionTimestamp !== undefined) return countOnly(deployment, sets, now);
  const turned = pausedOrResumed(deployment, now);
  if (turned !== undefined) return { actions: [{ does: 'status', deployment: turned }] };
  if (deployment.spec?.paused === true) return scaleOnly(deployment, sets, now);
  const revision = rollbackRevision(deployment);
  if (revision !== undefined) return { actions: rollBack(deployment, sets, revision) };
  if (isResized(deployment, active(sets.all))) return scaleOnly(deployment, sets, now);
  return deployment.spec?.strategy?.type === 'Recreate' ? recreate(state, sets) : roll(deployment, sets, now);
}

/**
 * Whether ReplicaSets are to follow another wanted number before anything else. Several of a Deployment that became
 * Recreate follow none: their Pods end.
 */
function isResized(deployment: Deployment, sets: readonly ReplicaSet[]): boolean {
  if (!isRolling(deployment) && sets.length > 1) return false;
  return sets.some((set) => (desiredReplicas(set) ?? wanted(deployment)) !== wanted(deployment));
}

function selectsEverything({ spec }: Deployment): boolean {
  const { matchLabels = {}, matchExpressions = [] } = spec?.selector ?? {};
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

function refuse(deployment: Deployment): readonly Action[] {
  const { metadata = {}, status } = deployment;
  const report: Action = {
    does: 'report',
    type: 'Warning',
    reason: 'SelectingAll',
    message: 'This deployment is selecting all pods. A non-empty selector is required.',
  };
  const { generation = 0 } = metadata;
  if ((status?.observedGeneration ?? 0) >= generation) return [report];
  return [
    report,
    { does: 'status', deployment: withStatus(deployment, { ...status, observedGeneration: generation }) },
  ];
}

/** The Deployment with the condition of its pause, or of the end of it; undefined if that is known. */
function pausedOrResumed(deployment: Deployment, now: number): Deployment | undefined {
  if (deadlineOf(deployment) === undefined) return undefined;
  const { status = {}, spec } = deployment;
  const { conditions = [] } = status;
  const reason = findCondition(conditions, PROGRESSING)?.reason;
  const isPaused = spec?.paused === true;
  if (reason === PROGRESS.timedOut || isPaused === (reason === PROGRESS.paused)) return undefined;
  const condition = isPaused
    ? newCondition(PROGRESSING, 'Unknown', PROGRESS.paused, 'Deployment is paused', now)
    : newCondition(PROGRESSING, 'Unknown', PROGRESS.resumed, 'Deployment is resumed', now);
  return withStatus(deployment, { ...status, conditions: [...withCondition(conditions, condition)] });
}

/** Follows the wanted number, and starts no rollout. */
function scaleOnly(deployment: Deployment, sets: ReplicaSets, now: number): Decision {
  const known = withRevision(deployment, sets.current);
  const updates = sets.current === undefined ? [] : adjustments(deployment, sets.current, sets);
  if (updates.length > 0) return { actions: updates };
  const scaled = scales(known, scaleStep(known, sets));
  const cleaned = deployment.spec?.paused === true ? cleanUp(known, sets.old) : [];
  return {
    actions: [...scaled, ...cleaned, ...writeStatus(deployment, known, countStatus(known, sets, now))],
  };
}

function countOnly(deployment: Deployment, sets: ReplicaSets, now: number): Decision {
  return { actions: writeStatus(deployment, deployment, countStatus(deployment, sets, now)) };
}

function roll(deployment: Deployment, sets: ReplicaSets, now: number): Decision {
  const { current } = sets;
  if (current === undefined) return create(deployment, sets, now);
  const updates = adjustments(deployment, current, sets);
  if (updates.length > 0) return { actions: updates };
  const known = withFoundSet(withRevision(deployment, current), current, now);
  const scaled = scales(known, rollingStep(known, sets, current));
  return finish(deployment, known, sets, scaled, now);
}

/** All old Pods end before the first new one is created. */
function recreate({ deployment, podsOf, now }: DeploymentState, sets: ReplicaSets): Decision {
  const { current, old } = sets;
  const updates = current === undefined ? [] : adjustments(deployment, current, sets);
  if (updates.length > 0) return { actions: updates };
  const known =
    current === undefined ? deployment : withFoundSet(withRevision(deployment, current), current, now);
  const ended = scales(
    known,
    active(old).map((set) => ({ set, replicas: 0 })),
  );
  if (ended.length > 0) return finish(deployment, known, sets, ended, now);
  const isRunning = sum(old, actual) > 0 || old.some((set) => podsOf(set).some((pod) => !isFinished(pod)));
  if (isRunning) return finish(deployment, known, sets, [], now);
  if (current === undefined) return create(deployment, sets, now);
  const scaled = scales(known, [{ set: current, replicas: wanted(deployment) }]);
  return finish(deployment, known, sets, scaled, now);
}

/** Ends a step of a rollout: with the status, or with the removal of old ReplicaSets when it is complete. */
function finish(
  deployment: Deployment,
  known: Deployment,
  sets: ReplicaSets,
  scaled: readonly Action[],
  now: number,
): Decision {
  const cleaned =
    scaled.length === 0 && isComplete(known, known.status ?? {}) ? cleanUp(known, sets.old) : [];
  const status = rolloutStatus(known, sets, now);
  const written = writeStatus(deployment, known, status);
  const until = written.length > 0 || isComplete(known, status) ? undefined : deadlineTime(known);
  return {
    actions: [...scaled, ...cleaned, ...written],
    again: until === undefined ? undefined : until - now + AFTER_DEADLINE,
  };
}

function create(deployment: Deployment, sets: ReplicaSets, now: number): Decision {
  const set = newReplicaSet(deployment, sets);
  const revised = withRevision(deployment, set);
  const status = countStatus(revised, { ...sets, current: undefined, all: [...sets.all, set] }, now);
  return {
    actions: [
      {
        does: 'create',
        set,
        deployment: withProgress(
          withStatus(revised, status),
          PROGRESS.created,
          `Created new replica set "${set.metadata?.name}"`,
          now,
        ),
      },
    ],
  };
}

function adjustments(deployment: Deployment, current: ReplicaSet, sets: ReplicaSets): readonly Action[] {
  const set = adjusted(deployment, current, sets);
  return set === undefined ? [] : [{ does: 'update', set }];
}

/** The changes of ReplicaSets whose number, or what they say of it, is another one. */
function scales(deployment: Deployment, steps: readonly Scale[]): readonly Action[] {
  const annotations = replicaAnnotations(deployment);
  return steps.flatMap(({ set, replicas }): Action[] => {
    const from = wanted(set);
    if (from === replicas && hasAnnotations(set, annotations)) return [];
    const scaled: ReplicaSet = {
      ...set,
      metadata: { ...set.metadata, annotations: { ...set.metadata?.annotations, ...annotations } },
      spec: { ...set.spec, replicas },
    };
    return [{ does: 'update', set: scaled, ...(from !== replicas && { from }) }];
  });
}

/** Removes the old ReplicaSets beyond the limit, those with the lowest revision first. */
function cleanUp(deployment: Deployment, old: readonly ReplicaSet[]): readonly Action[] {
  const limit = historyLimitOf(deployment);
  if (limit === undefined) return [];
  const alive = old.filter(({ metadata }) => metadata?.deletionTimestamp === undefined).toSorted(byRevision);
  return alive
    .slice(0, Math.max(0, alive.length - limit))
    .filter(isUnused)
    .map((set) => ({ does: 'delete', set }));
}

const isUnused = (set: ReplicaSet): boolean =>
  actual(set) === 0 &&
  wanted(set) === 0 &&
  (set.metadata?.generation ?? 0) <= (set.status?.observedGeneration ?? 0);

const withStatus = (deployment: Deployment, status: DeploymentStatus): Deployment => ({
  ...deployment,
  status,
});

/** The Deployment with the revision of its current ReplicaSet. */
function withRevision(deployment: Deployment, current: ReplicaSet | undefined): Deployment {
  const revision = current && revisionOf(current);
  if (!revision) return deployment;
  const { metadata = {} } = deployment;
  if (metadata.annotations?.[REVISION] === String(revision)) return deployment;
  return {
    ...deployment,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [REVISION]: String(revision) } },
  };
}

/** A current ReplicaSet that was there before anything was reported. */
function withFoundSet(deployment: Deployment, current: ReplicaSet, now: number): Deployment {
  const isKnown = findCondition(deployment.status?.conditions ?? [], PROGRESSING) !== undefined;
  const message = `Found new replica set "${current.metadata?.name}"`;
  return isKnown ? deployment : withProgress(deployment, PROGRESS.found, message, now);
}

function withProgress(deployment: Deployment, reason: string, message: string, now: number): Deployment {
  if (deadlineOf(deployment) === undefined) return deployment;
  const { status = {} } = deployment;
  const condition = newCondition(PROGRESSING, 'True', reason, message, now);
  return withStatus(deployment, {
    ...status,
    conditions: [...withCondition(status.conditions ?? [], condition)],
  });
}

/** Writes a status that differs from the stored one, with the revision. */
function writeStatus(stored: Deployment, known: Deployment, status: DeploymentStatus): readonly Action[] {
  const isStored = known.metadata === stored.metadata && isSame(status, stored.status);
  return isStored ? [] : [{ does: 'status', deployment: withStatus(known, status) }];
}
