import type { BasicDevice, DeviceTaint, DeviceToleration } from '../../model/generated/resource-v1beta1.ts';

/** Effects that keep a device from new claims; others are information only. */
const PREVENTING: ReadonlySet<string | undefined> = new Set(['NoSchedule', 'NoExecute']);

/** Whether a device has a taint that keeps it from a request. */
export const isKeptByTaints = (
  { taints = [] }: BasicDevice,
  tolerations: readonly DeviceToleration[] = [],
): boolean =>
  taints.some(
    (taint) =>
      PREVENTING.has(taint.effect) && !tolerations.some((toleration) => isTolerated(taint, toleration)),
  );

/** As taints of nodes; an operator that is not known tolerates nothing. */
function isTolerated(taint: DeviceTaint, toleration: DeviceToleration): boolean {
  const { key = '', operator = 'Equal', value = '', effect = '' } = toleration;
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  return operator === 'Exists' || (operator === 'Equal' && value === (taint.value ?? ''));
}
