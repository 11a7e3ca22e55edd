import type { PendingPod } from '../objects/pending-pod.ts';
import type { NodeState } from '../state/node-state.ts';
import type { SchedulingView } from '../view.ts';
import { fewUnwantedTaints, imageLocality, preferredAffinity } from './node-criteria.ts';
import { preferredPods } from './pod-affinity-criterion.ts';
import { balancedAllocation, leastAllocated } from './resource-criteria.ts';
import type { Criterion } from './score.ts';
import { evenSpread } from './spread-criterion.ts';

/** The criteria with the names and weights of kube-scheduler's plugins. */
export const CRITERIA: readonly {
  readonly plugin: string;
  readonly weight: number;
  readonly score: Criterion;
}[] = [
  { plugin: 'TaintToleration', weight: 3, score: fewUnwantedTaints },
  { plugin: 'NodeAffinity', weight: 2, score: preferredAffinity },
  { plugin: 'NodeResourcesFit', weight: 1, score: leastAllocated },
  { plugin: 'PodTopologySpread', weight: 2, score: evenSpread },
  { plugin: 'InterPodAffinity', weight: 2, score: preferredPods },
  { plugin: 'NodeResourcesBalancedAllocation', weight: 1, score: balancedAllocation },
  { plugin: 'ImageLocality', weight: 1, score: imageLocality },
];

/** The weighted sum of all scores of each node. @param nodes at least one */
export function totalScores(pod: PendingPod, nodes: readonly NodeState[], view: SchedulingView): number[] {
  const totals = nodes.map(() => 0);
  for (const { weight, score } of CRITERIA) {
    const scores = score(pod, nodes, view);
    if (scores === undefined) continue;
    for (let index = 0; index < totals.length; index++) totals[index]! += weight * scores[index]!;
  }
  return totals;
}

/** One of the nodes with the highest total, each as likely as the others. @param random from 0 to below 1 */
export function bestNode(
  nodes: readonly NodeState[],
  totals: readonly number[],
  random: () => number,
): NodeState {
  let best = 0;
  let equals = 1;
  for (let index = 1; index < nodes.length; index++) {
    if (totals[index]! > totals[best]!) {
      best = index;
      equals = 1;
    } else if (totals[index] === totals[best]) {
      equals += 1;
      if (random() * equals < 1) best = index;
    }
  }
  return nodes[best]!;
}
