import { impossible, type Rejection } from '../../filters/filter.ts';
import type { PodInfo } from '../../objects/pod-info.ts';
import type { ClusterState } from '../../state/cluster-state.ts';
import type { NodeState } from '../../state/node-state.ts';
import type { NodeChecks } from '../node-checks.ts';
import { type Budget, splitByBudgets } from './budgets.ts';

/** A node that a pod could use if some of its pods were gone. */
export interface Candidate {
  readonly node: NodeState;
  /** The most important first. */
  readonly victims: readonly PodInfo[];
  /** How many victims violate a budget. */
  readonly violations: number;
}

/** Of no rule: such a node never gets another reason. */
const NO_VICTIMS = impossible('NodeResourcesFit', 'No preemption victims found for incoming pod');

/** A pod that has not started counts as started now. */
const startOf = ({ startTime }: PodInfo, now: number): number => startTime ?? now;

/** Orders pods by their importance: priority, then age. @param now in milliseconds since the Unix epoch */
export const byImportance =
  (now: number) =>
  (left: PodInfo, right: PodInfo): number =>
    right.priority - left.priority || startOf(left, now) - startOf(right, now);

export interface VictimSearch {
  readonly pod: PodInfo;
  readonly checks: NodeChecks;
  readonly state: ClusterState;
  readonly budgets: readonly Budget[];
  readonly now: number;
}

/**
 * The least that has to go from a node for a pod: without all less important pods it must fit, then they come back one
 * by one while it still does, first those whose loss violates a budget. The pods of the node are the same afterwards.
 */
export function selectVictims(
  { pod, checks, state, budgets, now }: VictimSearch,
  node: NodeState,
): Candidate | Rejection {
  const candidates = [...node.pods].filter(({ priority }) => priority < pod.priority);
  if (candidates.length === 0) return NO_VICTIMS;
  candidates.sort(byImportance(now));
  const gone = new Set<PodInfo>();
  const take = (victim: PodInfo): void => {
    state.takeFrom(node, victim);
    gone.add(victim);
  };
  const giveBack = (victim: PodInfo): void => {
    state.addTo(node, victim);
    gone.delete(victim);
  };
  try {
    for (const candidate of candidates) take(candidate);
    const rejection = checks.check(node);
    if (rejection !== undefined) return rejection;
    const { violating, others } = splitByBudgets(candidates, budgets);
    for (const candidate of [...violating, ...others]) {
      giveBack(candidate);
      if (checks.check(node) !== undefined) take(candidate);
    }
    const victims = candidates.filter((candidate) => gone.has(candidate));
    return { node, victims, violations: violating.filter((victim) => gone.has(victim)).length };
  } finally {
    for (const victim of [...gone]) giveBack(victim);
  }
}

/**
 * The candidate that costs least: by violated budgets, the highest priority of a victim, the sum of priorities, the
 * number of victims, then the one whose most important victims started last.
 * @param candidates at least one, each with a victim
 */
export function cheapest(candidates: readonly Candidate[], now: number): Candidate {
  const costs: readonly ((candidate: Candidate) => number)[] = [
    ({ violations }) => violations,
    ({ victims }) => victims[0]!.priority,
    // All priorities count as positive, so that few victims with negative ones are not better than one.
    ({ victims }) => victims.reduce((sum, { priority }) => sum + priority + 2 ** 31, 0),
    ({ victims }) => victims.length,
    ({ victims }) => -earliestStart(victims, now),
  ];
  let left = candidates;
  for (const cost of costs) {
    if (left.length === 1) break;
    const all = left.map(cost);
    const least = Math.min(...all);
    left = left.filter((_, index) => all[index] === least);
  }
  return left[0]!;
}

/** When the first of the most important victims started. */
function earliestStart(victims: readonly PodInfo[], now: number): number {
  const [{ priority }] = victims as readonly [PodInfo];
  return Math.min(
    ...victims.filter((victim) => victim.priority === priority).map((victim) => startOf(victim, now)),
  );
}
