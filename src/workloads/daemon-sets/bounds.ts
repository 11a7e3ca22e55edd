import type { DaemonSet } from '../../model/generated/apps-v1.ts';
import { type IntOrString, resolvePercentage } from '../../model/int-or-string.ts';

/** On how many nodes Pods of an update may be unavailable, or doubled. */
export interface UpdateBounds {
  readonly unavailable: number;
  readonly surge: number;
}

const isRolling = ({ spec }: DaemonSet): boolean => spec?.updateStrategy?.type === 'RollingUpdate';

const surgeOf = ({ spec }: DaemonSet): IntOrString => spec?.updateStrategy?.rollingUpdate?.maxSurge ?? 0;

/** Percentages of the nodes that get Pods are rounded up. One of both is at least 1. */
export function boundsOf(daemonSet: DaemonSet, nodes: number): UpdateBounds {
  if (!isRolling(daemonSet)) return { unavailable: 0, surge: 0 };
  const { maxUnavailable = 0 } = daemonSet.spec?.updateStrategy?.rollingUpdate ?? {};
  const unavailable = resolvePercentage(maxUnavailable, nodes, true) ?? 0;
  const surge = resolvePercentage(surgeOf(daemonSet), nodes, true) ?? 0;
  return nodes > 0 && unavailable === 0 && surge === 0 ? { unavailable: 1, surge } : { unavailable, surge };
}

/** Whether a node may have two Pods during an update. */
export const allowsSurge = (daemonSet: DaemonSet): boolean =>
  isRolling(daemonSet) && (resolvePercentage(surgeOf(daemonSet), 1, true) ?? 0) > 0;
