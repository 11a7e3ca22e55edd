import type { Deployment, ReplicaSet } from '../../model/generated/apps-v1.ts';
import { resolvePercentage } from '../../model/int-or-string.ts';
import { timeToMilliseconds } from '../../model/time.ts';
import { isSameTemplate } from './template-hash.ts';

/** The ReplicaSets of a Deployment. */
export interface ReplicaSets {
  /** The one with the present template. */
  readonly current: ReplicaSet | undefined;
  /** The others. */
  readonly old: readonly ReplicaSet[];
  readonly all: readonly ReplicaSet[];
  /** The Pods of all that terminate; undefined if it is not known or not to be said. */
  readonly terminating: number | undefined;
}

export const wanted = ({ spec }: ReplicaSet | Deployment): number => spec?.replicas ?? 1;
export const available = ({ status }: ReplicaSet): number => status?.availableReplicas ?? 0;
export const actual = ({ status }: ReplicaSet): number => status?.replicas ?? 0;

/** The available Pods that a ReplicaSet keeps: its status may still count those that it is to delete. */
export const kept = (set: ReplicaSet): number => Math.min(wanted(set), available(set));
/**
 * The Pods that a ReplicaSet may have: those that it is to have, or more until it has deleted the others. How many is not
 * known while its controller has not seen its present number: it may be adding Pods for the number before.
 */
export const possible = (set: ReplicaSet): number =>
  isBehind(set) ? Number.POSITIVE_INFINITY : Math.max(wanted(set), actual(set));

/** A new ReplicaSet has no number before. */
const isBehind = ({ metadata, status = {} }: ReplicaSet): boolean =>
  (status.observedGeneration ?? 0) > 0 && status.observedGeneration! < (metadata?.generation ?? 0);

export const sum = (sets: readonly ReplicaSet[], count: (set: ReplicaSet) => number): number =>
  sets.reduce((total, set) => total + count(set), 0);

const createdAt = ({ metadata }: ReplicaSet): number =>
  metadata?.creationTimestamp ? timeToMilliseconds(metadata.creationTimestamp) : 0;

type Order = (one: ReplicaSet, other: ReplicaSet) => number;

const byName: Order = (one, other) => ((one.metadata?.name ?? '') < (other.metadata?.name ?? '') ? -1 : 1);
/** The oldest first. */
export const byAge: Order = (one, other) => createdAt(one) - createdAt(other) || byName(one, other);
/** The largest first, of equal ones the newest. */
export const bySizeNewest: Order = (one, other) => wanted(other) - wanted(one) || byAge(other, one);
/** The largest first, of equal ones the oldest. */
export const bySizeOldest: Order = (one, other) => wanted(other) - wanted(one) || byAge(one, other);

/**
 * The oldest ReplicaSet with the template of the Deployment is the current one: an adopted one has no hash.
 * @param countsTerminating whether Pods that terminate are counted
 */
export function divide(
  { spec }: Deployment,
  sets: readonly ReplicaSet[],
  countsTerminating = false,
): ReplicaSets {
  const all = sets.toSorted(byAge);
  const current = all.find((set) => isSameTemplate(set.spec?.template, spec?.template));
  const terminating = countsTerminating ? terminatingOf(all) : undefined;
  return { current, old: all.filter((set) => set !== current), all, terminating };
}

/** A ReplicaSet that was not looked at has no Pods; one that was, but does not say it, makes the sum unknown. */
function terminatingOf(sets: readonly ReplicaSet[]): number | undefined {
  const seen = sets.filter(
    ({ status }) => status?.terminatingReplicas !== undefined || (status?.observedGeneration ?? 0) > 0,
  );
  return seen.every(({ status }) => status?.terminatingReplicas !== undefined)
    ? sum(seen, ({ status }) => status!.terminatingReplicas!)
    : undefined;
}

/** Those that are to have Pods. */
export const active = (sets: readonly ReplicaSet[]): readonly ReplicaSet[] =>
  sets.filter((set) => wanted(set) > 0);

export const isRolling = ({ spec }: Deployment): boolean => spec?.strategy?.type !== 'Recreate';

/** How many Pods a Deployment may have above, and lack below, the wanted number. */
export interface Bounds {
  readonly surge: number;
  readonly unavailable: number;
}

/** The surge is rounded up, what may be unavailable down; one of them is at least 1. Recreate has neither. */
export function boundsOf(deployment: Deployment): Bounds {
  if (!isRolling(deployment)) return { surge: 0, unavailable: 0 };
  const replicas = wanted(deployment);
  const { maxSurge = 0, maxUnavailable = 0 } = deployment.spec?.strategy?.rollingUpdate ?? {};
  const surge = resolvePercentage(maxSurge, replicas, true) ?? 0;
  const resolved = resolvePercentage(maxUnavailable, replicas, false) ?? 0;
  const least = surge === 0 && resolved === 0 ? 1 : resolved;
  return { surge, unavailable: Math.min(least, replicas) };
}
