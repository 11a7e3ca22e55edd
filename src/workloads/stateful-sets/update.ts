import type { Pod } from '../../model/generated/core-v1.ts';
import { resolvePercentage } from '../../model/int-or-string.ts';
import { isFinished } from '../../reconcile/pods/pod-state.ts';
import { isHealthy, isTerminating, replicasOf, revisionOf } from './identity.ts';
import type { ObservedSet, Replica } from './observed.ts';

/**
 * The Pods that are deleted so that others with the present template take their places: those of the highest ordinals
 * first, none below the partition.
 */
export function planUpdate(observed: ObservedSet): readonly Pod[] {
  const { set, replicas, readsMaxUnavailable } = observed;
  const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
  if (type === 'OnDelete') return [];
  const targets = replicas.slice(rollingUpdate?.partition ?? 0).toReversed();
  return readsMaxUnavailable ? severalOutdated(observed, targets) : nextOutdated(observed, targets);
}

/** One Pod at a time, once those that were updated before are healthy. */
function nextOutdated(observed: ObservedSet, targets: readonly Replica[]): readonly Pod[] {
  for (const target of targets) {
    if (isOutdated(observed, target)) return [target.pod];
    if (target.isNew || !isHealthy(target.pod)) return [];
  }
  return [];
}

/** As many Pods as may be unavailable besides those that are. */
function severalOutdated(observed: ObservedSet, targets: readonly Replica[]): readonly Pod[] {
  const { set, replicas } = observed;
  const { maxUnavailable = 1 } = set.spec?.updateStrategy?.rollingUpdate ?? {};
  const most = Math.max(1, resolvePercentage(maxUnavailable, replicasOf(set), false) ?? 1);
  const unavailable = replicas.filter(({ pod }) => !isHealthy(pod)).length;
  return targets
    .filter((target) => isOutdated(observed, target))
    .slice(0, Math.max(0, most - unavailable))
    .map(({ pod }) => pod);
}

/** Whether a Pod has another revision, and nothing replaces it yet. */
const isOutdated = ({ update }: ObservedSet, { pod, isNew }: Replica): boolean =>
  !isNew && !isFinished(pod) && !isTerminating(pod) && revisionOf(pod) !== update.name;
