import type { Pod } from '../../model/generated/core-v1.ts';
import type { EventType } from '../../reconcile/events/recorder.ts';
import type { ObservedDaemons } from './observed.ts';
import { placePods } from './place.ts';
import { planUpdate } from './update.ts';

/** Most Pods that one reconcile creates, and deletes. */
const BURST = 250;

/** What brings the Pods of a DaemonSet nearer to those that it wants. */
export interface PodChanges {
  /** The nodes that get a Pod. */
  readonly create: readonly string[];
  readonly delete: readonly Pod[];
}

export interface Report {
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

export interface DaemonPlan extends PodChanges {
  readonly reports: readonly Report[];
  /** The nodes whose failed Pods are deleted. */
  readonly failed: readonly string[];
  /** Milliseconds until a failed Pod may be deleted; undefined if none waits. */
  readonly again: number | undefined;
}

/**
 * First every node gets its Pod, and loses those that it is not to have. A reconcile that has nothing of that to do goes
 * on with the update.
 */
export function plan(observed: ObservedDaemons): DaemonPlan {
  const placed = placePods(observed);
  const isPlaced = placed.create.length === 0 && placed.delete.length === 0;
  const changes = isPlaced ? planUpdate(observed) : placed;
  return {
    ...placed,
    create: changes.create.slice(0, BURST),
    delete: changes.delete.slice(0, BURST),
  };
}
