import type { PendingPod } from '../objects/pending-pod.ts';
import type { NodeState } from '../state/node-state.ts';
import type { SchedulingView } from '../view.ts';

/** The best score of a node by one criterion. */
export const BEST_SCORE = 100;

/**
 * Scores nodes by one criterion, each from 0 to {@link BEST_SCORE}: one number for each node, in their order. Undefined
 * if the criterion says nothing about the pod.
 */
export type Criterion = (
  pod: PendingPod,
  nodes: readonly NodeState[],
  view: SchedulingView,
) => readonly number[] | undefined;

/** Scales counts so that the largest becomes the best score. */
export function scaled(counts: readonly number[]): number[] {
  const largest = Math.max(0, ...counts);
  if (largest === 0) return [...counts];
  return counts.map((count) => Math.trunc((BEST_SCORE * count) / largest));
}

/** Scales counts so that the largest becomes the worst score. */
export function reversed(counts: readonly number[]): number[] {
  const largest = Math.max(0, ...counts);
  if (largest === 0) return counts.map(() => BEST_SCORE);
  return counts.map((count) => BEST_SCORE - Math.trunc((BEST_SCORE * count) / largest));
}
