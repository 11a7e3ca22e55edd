import type { StatefulSet, StatefulSetStatus } from '../../model/generated/apps-v1.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import { nonZero } from '../../reconcile/equality.ts';
import { isAvailable } from '../../reconcile/pods/pod-state.ts';
import { isRunningAndReady, isTerminating, replicasOf, revisionOf } from './identity.ts';

export interface SetRevisions {
  /** Name of the revision of Pods that are not to be updated. */
  readonly current: string;
  /** Name of the revision of the present template. */
  readonly update: string;
  /** Names that other objects had. */
  readonly collisions: number;
}

/**
 * The status of a set with these Pods. An update is complete when all Pods that the set wants are of the new revision
 * and ready.
 * @param now milliseconds since the epoch
 */
export function setStatus(
  set: StatefulSet,
  pods: readonly Pod[],
  { current, update, collisions }: SetRevisions,
  now: number,
): StatefulSetStatus {
  const minReadySeconds = set.spec?.minReadySeconds ?? 0;
  const wanted = replicasOf(set);
  const ready = pods.filter(isRunningAndReady);
  const staying = pods.filter((pod) => !isTerminating(pod));
  const updatedReplicas = staying.filter((pod) => revisionOf(pod) === update).length;
  const isComplete =
    set.spec?.updateStrategy?.type === 'RollingUpdate' &&
    [pods.length, ready.length, updatedReplicas].every((count) => count === wanted);
  const currentRevision = isComplete ? update : current;
  return {
    ...nonZero({
      observedGeneration: set.metadata?.generation ?? 0,
      readyReplicas: ready.length,
      currentReplicas: staying.filter((pod) => revisionOf(pod) === currentRevision).length,
      updatedReplicas,
    }),
    replicas: pods.length,
    currentRevision,
    updateRevision: update,
    collisionCount: collisions,
    availableReplicas: ready.filter((pod) => isAvailable(pod, minReadySeconds, now)).length,
  };
}

/** Counts that are written when they change; the number of collisions is written with them. */
const COUNTS = [
  'replicas',
  'readyReplicas',
  'availableReplicas',
  'currentReplicas',
  'updatedReplicas',
] as const;

/** Whether a set says what a status says. */
export const saysSo = ({ status = {} }: StatefulSet, next: StatefulSetStatus): boolean =>
  COUNTS.every((name) => (status[name] ?? 0) === (next[name] ?? 0)) &&
  status.currentRevision === next.currentRevision &&
  status.updateRevision === next.updateRevision &&
  (status.observedGeneration ?? 0) >= (next.observedGeneration ?? 0);
