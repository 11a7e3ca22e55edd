import type { DaemonSet } from '../../model/generated/apps-v1.ts';
import type { Node, Taint } from '../../model/generated/core-v1.ts';
import { requiredNodeMatcher, type SelectableNode } from '../../reconcile/nodes/node-selector.ts';
import { untoleratedTaint } from '../../reconcile/nodes/taints.ts';
import { daemonTolerations } from './tolerations.ts';

/** What decides whether a node gets Pods of a DaemonSet. Resources play no part. */
export interface NodePlace extends SelectableNode {
  readonly taints: readonly Taint[];
}

export const placeOf = ({ metadata, spec }: Node): NodePlace => ({
  name: metadata?.name ?? '',
  labels: metadata?.labels ?? {},
  taints: spec?.taints ?? [],
});

/** Whether a node gets a Pod, and whether one that it has stays. A node that gets one keeps it. */
export interface Placement {
  readonly runs: boolean;
  readonly stays: boolean;
}

export const NOWHERE: Placement = { runs: false, stays: false };
const EVERYWHERE: Placement = { runs: true, stays: true };
const STAYS: Placement = { runs: false, stays: true };

/**
 * Judges nodes for a DaemonSet: by the name in its template, node selector, required affinity and taints. One with a
 * taint that the Pods do not tolerate gets none; only the effect NoExecute ends those that it has.
 */
export function placements({ spec }: DaemonSet): (node: NodePlace) => Placement {
  const { nodeName = '', nodeSelector, affinity, ...rest } = spec?.template?.spec ?? {};
  const tolerations = daemonTolerations(rest);
  const matches = requiredNodeMatcher(nodeSelector, affinity);
  return (node) => {
    if (nodeName !== '' && nodeName !== node.name) return NOWHERE;
    if (matches !== undefined && !matches(node)) return NOWHERE;
    if (node.taints.length === 0 || untoleratedTaint(node.taints, tolerations) === undefined)
      return EVERYWHERE;
    const ending = node.taints.filter(({ effect }) => effect === 'NoExecute');
    return untoleratedTaint(ending, tolerations) === undefined ? STAYS : NOWHERE;
  };
}
