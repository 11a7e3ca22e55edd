import type { ReplicaSetCondition, ReplicaSetStatus } from '../../model/generated/apps-v1.ts';
import type { Pod, PodTemplateSpec } from '../../model/generated/core-v1.ts';
import { formatTime } from '../../model/time.ts';
import { nonZero } from '../../reconcile/equality.ts';
import { isAvailable, isReady } from '../../reconcile/pods/pod-state.ts';
import type { Replication } from './kinds.ts';

const FAILURE = 'ReplicaFailure';

/** Why Pods could not be created or deleted. */
export interface ReplicaFailure {
  readonly reason: 'FailedCreate' | 'FailedDelete';
  readonly message: string;
}

/** The Pods of an object. */
export interface CountedPods {
  readonly active: readonly Pod[];
  /** How many terminate; undefined if statuses do not say it. */
  readonly terminating?: number | undefined;
}

/**
 * The status of an object with these Pods.
 * @param failure of the last attempt to change their number
 * @param now milliseconds since the epoch
 */
export function replicaStatus(
  { template, minReadySeconds, status }: Replication,
  generation: number,
  { active, terminating }: CountedPods,
  failure: ReplicaFailure | undefined,
  now: number,
): ReplicaSetStatus {
  const conditions = replicaConditions(status.conditions ?? [], failure, now);
  return {
    replicas: active.length,
    ...nonZero({
      fullyLabeledReplicas: active.filter((pod) => hasLabelsOf(template, pod)).length,
      readyReplicas: active.filter(isReady).length,
      availableReplicas: active.filter((pod) => isAvailable(pod, minReadySeconds, now)).length,
      observedGeneration: generation,
    }),
    ...(terminating !== undefined && { terminatingReplicas: terminating }),
    ...(conditions.length > 0 && { conditions }),
  };
}

/** A failure is reported once, until the number of Pods could be changed. */
function replicaConditions(
  conditions: readonly ReplicaSetCondition[],
  failure: ReplicaFailure | undefined,
  now: number,
): ReplicaSetCondition[] {
  if (failure === undefined) return conditions.filter(({ type }) => type !== FAILURE);
  if (conditions.some(({ type }) => type === FAILURE)) return [...conditions];
  return [...conditions, { type: FAILURE, status: 'True', lastTransitionTime: formatTime(now), ...failure }];
}

function hasLabelsOf({ metadata }: PodTemplateSpec, pod: Pod): boolean {
  const labels = pod.metadata?.labels ?? {};
  return Object.entries(metadata?.labels ?? {}).every(
    ([name, value]) => Object.hasOwn(labels, name) && labels[name] === value,
  );
}
