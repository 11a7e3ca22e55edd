import type { Deployment, ReplicaSet } from '../../model/generated/apps-v1.ts';
import {
  active,
  available,
  boundsOf,
  byAge,
  bySizeNewest,
  bySizeOldest,
  isRolling,
  kept,
  possible,
  type ReplicaSets,
  sum,
  wanted,
} from './replica-sets.ts';
import { desiredReplicas, maximumReplicas } from './revisions.ts';

/** A ReplicaSet and the number of Pods that it is to have. */
export interface Scale {
  readonly set: ReplicaSet;
  readonly replicas: number;
}

/** The number of a ReplicaSet that is to be created: as many as the bound on all Pods permits. */
export function initialReplicas(deployment: Deployment, all: readonly ReplicaSet[]): number {
  if (!isRolling(deployment)) return wanted(deployment);
  return Math.min(grown(deployment, all, 0, wanted), grown(deployment, all, 0, possible));
}

/**
 * The number of a ReplicaSet that grows within the bound on all Pods.
 * @param has its present number
 * @param count how many Pods a ReplicaSet counts for
 */
function grown(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  has: number,
  count: (set: ReplicaSet) => number,
): number {
  const replicas = wanted(deployment);
  const room = replicas + boundsOf(deployment).surge - sum(all, count);
  return room <= 0 ? has : has + Math.min(room, replicas - has);
}

/** One step of a rolling update: the current ReplicaSet grows as far as it may, else the old ones shrink. */
export function rollingStep(
  deployment: Deployment,
  sets: ReplicaSets,
  current: ReplicaSet,
): readonly Scale[] {
  const replicas = wanted(deployment);
  const has = wanted(current);
  if (has > replicas) return [{ set: current, replicas }];
  if (grown(deployment, sets.all, has, wanted) === has) return shrinkOld(deployment, sets, current);
  // It waits until the others have deleted the Pods that they are no longer to have.
  const next = grown(deployment, sets.all, has, possible);
  return next === has ? [] : [{ set: current, replicas: next }];
}

/**
 * Old ReplicaSets lose first the Pods that are not available, then as many others as the bound on unavailable Pods
 * permits. Pods of the current one that are not available count as if they were still to come.
 */
function shrinkOld(deployment: Deployment, { old, all }: ReplicaSets, current: ReplicaSet): readonly Scale[] {
  const least = wanted(deployment) - boundsOf(deployment).unavailable;
  const coming = wanted(current) - available(current);
  const budget = sum(all, wanted) - least - coming;
  if (budget <= 0) return [];
  const next = new Map(
    active(old)
      .toSorted(byAge)
      .map((set) => [set, wanted(set)]),
  );
  take(next, budget, (set) => Math.max(0, wanted(set) - available(set)));
  const spare = sum(all, kept) - least;
  if (spare > 0) take(next, spare, (_set, has) => has);
  return [...next].filter(([set, has]) => has !== wanted(set)).map(([set, has]) => ({ set, replicas: has }));
}

/** Lowers numbers in order until the budget is spent. @param most how much a ReplicaSet may lose */
function take(
  next: Map<ReplicaSet, number>,
  budget: number,
  most: (set: ReplicaSet, has: number) => number,
): void {
  let left = budget;
  for (const [set, has] of next) {
    const taken = Math.min(left, most(set, has));
    next.set(set, has - taken);
    left -= taken;
  }
}

/**
 * How ReplicaSets follow a change of the wanted number, also of a paused Deployment: the only one with Pods, or the
 * latest one, gets it; those behind a complete current one get none; several in a rollout share the difference by size.
 */
export function scaleStep(deployment: Deployment, sets: ReplicaSets): readonly Scale[] {
  const replicas = wanted(deployment);
  const single = activeOrLatest(sets);
  if (single !== undefined)
    return [{ set: single, replicas: Math.min(replicas, wanted(single) + roomLeft(deployment, sets)) }];
  const { current, old } = sets;
  if (current !== undefined && isSaturated(deployment, current))
    return active(old).map((set) => ({ set, replicas: 0 }));
  return isRolling(deployment)
    ? shareDifference(deployment, active(sets.all), roomLeft(deployment, sets))
    : [];
}

/**
 * How many Pods may be added before ReplicaSets have deleted those that they are no longer to have; the rest is added
 * afterwards. A Deployment that recreates its Pods waits for their end elsewhere.
 */
const roomLeft = (deployment: Deployment, { all }: ReplicaSets): number =>
  isRolling(deployment)
    ? Math.max(0, wanted(deployment) + boundsOf(deployment).surge - sum(all, possible))
    : Number.POSITIVE_INFINITY;

/** The ReplicaSet with Pods, if it is the only one; the newest one if none has; undefined if several have. */
function activeOrLatest({ current, old, all }: ReplicaSets): ReplicaSet | undefined {
  const withPods = active(all);
  if (withPods.length > 1) return undefined;
  return withPods[0] ?? current ?? old.toSorted(byAge).at(-1);
}

/** Whether a ReplicaSet has all Pods of its Deployment, and all of them are available. */
function isSaturated(deployment: Deployment, set: ReplicaSet): boolean {
  const replicas = wanted(deployment);
  return wanted(set) === replicas && desiredReplicas(set) === replicas && available(set) === replicas;
}

/**
 * Shares the difference by size; the largest ReplicaSet gets what rounding leaves.
 * @param room how many Pods may be added at most
 */
function shareDifference(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  room: number,
): readonly Scale[] {
  const replicas = wanted(deployment);
  const allowed = replicas > 0 ? replicas + boundsOf(deployment).surge : 0;
  const difference = Math.min(allowed - sum(sets, wanted), room);
  const ordered = difference === 0 ? sets : sets.toSorted(difference > 0 ? bySizeNewest : bySizeOldest);
  let added = 0;
  const next = ordered.map((set) => {
    const share = shareOf(deployment, set, difference, added);
    added += share;
    return { set, replicas: wanted(set) + share };
  });
  return next.map(({ set, replicas: has }, index) => ({
    set,
    replicas: index === 0 ? Math.max(0, has + difference - added) : has,
  }));
}

/** @param added what others have got of the difference */
function shareOf(deployment: Deployment, set: ReplicaSet, difference: number, added: number): number {
  const size = wanted(set);
  const left = difference - added;
  if (size === 0 || left === 0) return 0;
  if (wanted(deployment) === 0) return -size;
  const before = maximumReplicas(set) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  const maximum = wanted(deployment) + boundsOf(deployment).surge;
  const share = roundHalfAway((size * maximum) / before) - size;
  return difference > 0 ? Math.min(share, left) : Math.max(share, left);
}

const roundHalfAway = (value: number): number => Math.sign(value) * Math.floor(Math.abs(value) + 0.5);
