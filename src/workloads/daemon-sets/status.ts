import type { DaemonSetStatus } from '../../model/generated/apps-v1.ts';
import { nonZero } from '../../reconcile/equality.ts';
import { isReady } from '../../reconcile/pods/pod-state.ts';
import type { ObservedDaemons } from './observed.ts';

/** The status of a DaemonSet. Of several Pods on a node, the bound and oldest one counts. */
export function daemonStatus({
  daemonSet,
  placements,
  byNode,
  desired,
  isUpdated,
  isAvailable,
}: ObservedDaemons): DaemonSetStatus {
  const counts = { current: 0, misscheduled: 0, ready: 0, updated: 0, available: 0 };
  for (const [node, { runs }] of placements) {
    const pod = byNode.get(node)?.[0];
    if (pod === undefined) continue;
    if (!runs) {
      counts.misscheduled += 1;
      continue;
    }
    counts.current += 1;
    if (isReady(pod)) counts.ready += 1;
    if (isReady(pod) && isAvailable(pod)) counts.available += 1;
    if (isUpdated(pod)) counts.updated += 1;
  }
  const { conditions, collisionCount } = daemonSet.status ?? {};
  return {
    currentNumberScheduled: counts.current,
    numberMisscheduled: counts.misscheduled,
    desiredNumberScheduled: desired,
    numberReady: counts.ready,
    ...nonZero({
      observedGeneration: daemonSet.metadata?.generation ?? 0,
      updatedNumberScheduled: counts.updated,
      numberAvailable: counts.available,
      numberUnavailable: desired - counts.available,
    }),
    ...(collisionCount !== undefined && { collisionCount }),
    ...(conditions !== undefined && { conditions }),
  };
}
