import type { Pod } from '../../model/generated/core-v1.ts';
import { podsToDelete } from '../../reconcile/pods/deletion-order.ts';

/** Most Pods that one reconcile creates or deletes. */
const BURST = 500;

/** What brings the number of Pods nearer to the wanted one. */
export type ReplicaPlan =
  | { readonly does: 'nothing' }
  | { readonly does: 'create'; readonly count: number }
  | { readonly does: 'delete'; readonly pods: readonly Pod[] };

/**
 * @param pods the active Pods of the object
 * @param family Pods of the objects with the same owner, whose spread over nodes counts
 * @param now milliseconds since the epoch
 */
export function planReplicas(
  pods: readonly Pod[],
  replicas: number,
  family: () => Iterable<Pod>,
  now: number,
): ReplicaPlan {
  const missing = replicas - pods.length;
  if (missing === 0) return { does: 'nothing' };
  if (missing > 0) return { does: 'create', count: Math.min(missing, BURST) };
  return { does: 'delete', pods: podsToDelete(pods, family(), Math.min(-missing, BURST), now) };
}
