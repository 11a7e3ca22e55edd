import type { StatefulSet } from '../../model/generated/apps-v1.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import type { FindClaim } from './claims.ts';
import { firstOrdinal, isHealthy, ordinalOf, replicasOf, wantsOrdinal } from './identity.ts';
import { newPod, type TemplateRevision } from './new-pod.ts';

/** A set with what belongs to it. */
export interface SetState {
  readonly set: StatefulSet;
  /** The Pods that it controls and that have names of its own. */
  readonly pods: readonly Pod[];
  /** The revision that Pods have that are not to be updated. */
  readonly current: TemplateRevision;
  /** The revision of the present template. */
  readonly update: TemplateRevision;
  readonly findClaim: FindClaim;
  /** Pods of an update that may be unavailable at a time are those that the set says, not one. */
  readonly readsMaxUnavailable: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The Pod of an ordinal that a set wants. */
export interface Replica {
  readonly pod: Pod;
  /** It does not exist yet. */
  readonly isNew: boolean;
}

export interface ObservedSet extends SetState {
  /** In the order of their ordinals. */
  readonly replicas: readonly Replica[];
  /** Pods that the set does not want, the highest ordinal first. */
  readonly condemned: readonly Pod[];
  /** The unhealthy Pod that others wait for: that of the lowest ordinal, one that is wanted before others. */
  readonly firstUnhealthy: Pod | undefined;
}

export function observe(state: SetState): ObservedSet {
  const { set, pods } = state;
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod), pod]));
  const first = firstOrdinal(set);
  const replicas = Array.from({ length: replicasOf(set) }, (_, index): Replica => {
    const pod = byOrdinal.get(first + index);
    return pod === undefined
      ? { pod: newPod(set, revisionFor(state, first + index), first + index), isNew: true }
      : { pod, isNew: false };
  });
  const condemned = pods
    .filter((pod) => ordinalOf(pod) >= 0 && !wantsOrdinal(set, ordinalOf(pod)))
    .toSorted((one, other) => ordinalOf(other) - ordinalOf(one));
  const unhealthy = (pod: Pod): boolean => !isHealthy(pod);
  const firstUnhealthy = replicas.find(({ pod }) => unhealthy(pod))?.pod ?? condemned.findLast(unhealthy);
  return { ...state, replicas, condemned, firstUnhealthy };
}

/**
 * The revision of a Pod that is missing: the current one below the partition. Without one, as many of the lowest
 * ordinals have it as had it before.
 */
function revisionFor({ set, current, update }: SetState, ordinal: number): TemplateRevision {
  const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
  const counted = type === 'RollingUpdate' ? (set.status?.currentReplicas ?? 0) : 0;
  const kept = rollingUpdate === undefined ? counted : (rollingUpdate.partition ?? 0);
  return ordinal < firstOrdinal(set) + kept ? current : update;
}
