import type { DaemonSet } from '../../model/generated/apps-v1.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import { isAvailable, isFinished } from '../../reconcile/pods/pod-state.ts';
import { isUpdated, type PodsByNode, podsByNode } from './daemon-pods.ts';
import { type NodePlace, type Placement, placements } from './placement.ts';

export interface DaemonState {
  readonly daemonSet: DaemonSet;
  /** Of the revision that records the present template. */
  readonly hash: string;
  readonly nodes: Iterable<NodePlace>;
  /** The Pods that the DaemonSet controls. */
  readonly pods: readonly Pod[];
  /** Milliseconds until a failed Pod of a node may be replaced; 0 for at once. */
  readonly untilReplaced: (node: string) => number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A DaemonSet with the nodes, and its Pods on them. */
export interface ObservedDaemons extends DaemonState {
  /** Of each node that exists. */
  readonly placements: ReadonlyMap<string, Placement>;
  /** Nodes that get a Pod. */
  readonly desired: number;
  /** Without those that have ended and are being deleted. */
  readonly byNode: PodsByNode;
  /** Whether a Pod has the present template. */
  readonly isUpdated: (pod: Pod) => boolean;
  readonly isAvailable: (pod: Pod) => boolean;
}

export const isTerminating = ({ metadata }: Pod): boolean => metadata?.deletionTimestamp !== undefined;

export function observe(state: DaemonState): ObservedDaemons {
  const { daemonSet, hash, nodes, pods, now } = state;
  const placementOf = placements(daemonSet);
  const placed = new Map(Array.from(nodes, (node) => [node.name, placementOf(node)]));
  let desired = 0;
  for (const { runs } of placed.values()) if (runs) desired += 1;
  const minReadySeconds = daemonSet.spec?.minReadySeconds ?? 0;
  return {
    ...state,
    placements: placed,
    desired,
    byNode: podsByNode(pods.filter((pod) => !(isFinished(pod) && isTerminating(pod)))),
    isUpdated: isUpdated(daemonSet, hash),
    isAvailable: (pod) => isAvailable(pod, minReadySeconds, now),
  };
}
