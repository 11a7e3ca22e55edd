import type { Taint, Toleration } from '../../model/generated/core-v1.ts';

/** Whether a toleration allows a taint; without an effect or key it allows all of them. */
export function tolerates(
  { key = '', operator = '', value = '', effect = '' }: Toleration,
  taint: Taint,
): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (operator === '' || operator === 'Equal') && value === (taint.value ?? '');
}

const isTolerated = (tolerations: readonly Toleration[], taint: Taint): boolean =>
  tolerations.some((toleration) => tolerates(toleration, taint));

/** The first taint that keeps a pod with these tolerations from a node. */
export function untoleratedTaint(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
): Taint | undefined {
  for (const taint of taints)
    if ((taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') && !isTolerated(tolerations, taint))
      return taint;
  return undefined;
}

/** How many taints ask a pod with these tolerations to rather use another node. */
export function unwantedTaints(taints: readonly Taint[], tolerations: readonly Toleration[]): number {
  let count = 0;
  for (const taint of taints)
    if (taint.effect === 'PreferNoSchedule' && !isTolerated(tolerations, taint)) count += 1;
  return count;
}

const UNSCHEDULABLE: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Whether a pod may use nodes that are marked as unschedulable. */
export const toleratesUnschedulable = (tolerations: readonly Toleration[]): boolean =>
  isTolerated(tolerations, UNSCHEDULABLE);
