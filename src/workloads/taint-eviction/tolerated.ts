import type { Taint, Toleration } from '../../model/generated/core-v1.ts';
import { tolerates } from '../../reconcile/nodes/taints.ts';

const SECOND = 1000;

/** The taints of a node that evict Pods. */
export const evictingTaints = (taints: readonly Taint[] = []): Taint[] =>
  taints.filter(({ effect }) => effect === 'NoExecute');

/**
 * How long a Pod tolerates taints that evict: the least of the tolerations of each of them, in milliseconds. 0 if it
 * does not tolerate one of them, infinite if nothing limits it.
 */
export function toleratedTime(taints: readonly Taint[], tolerations: readonly Toleration[] = []): number {
  let least = Number.POSITIVE_INFINITY;
  for (const taint of taints) {
    const toleration = tolerations.find((one) => tolerates(one, taint));
    if (toleration === undefined) return 0;
    const { tolerationSeconds } = toleration;
    if (tolerationSeconds !== undefined) least = Math.min(least, Math.max(0, tolerationSeconds) * SECOND);
  }
  return least;
}
