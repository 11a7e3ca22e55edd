import type { PersistentVolumeClaim, Pod } from '../../model/generated/core-v1.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { OwnWrites } from '../../reconcile/own-writes.ts';
import { CLAIMS, PODS } from '../../reconcile/resources.ts';
import { isNamespaceTerminating } from '../../reconcile/settled-errors.ts';
import { PODS_BY_CLAIM } from '../../reconcile/volumes/pod-claims.ts';
import { type WorkResult, workloadQueue } from '../../reconcile/work-queue.ts';
import { hasEphemeralVolumes, missingClaims } from './claims.ts';

/**
 * Makes the claims of the ephemeral volumes of Pods. They go with their Pods by garbage collection.
 * @param workers Pods at the same time
 */
export function ephemeralVolumeController(parts: NamedContext, workers: number): Controller {
  const pods = parts.objects(PODS);
  const claims = parts.objects(CLAIMS);
  const client = parts.client(parts.user);
  const events = parts.events('ephemeral_volume');
  const writes = new OwnWrites([claims]);

  const reconcile = async (key: string): Promise<WorkResult> => {
    const pod = pods.get(key) as Pod | undefined;
    if (pod === undefined || !mayNeedClaims(pod)) return 'done';
    const { namespace = '' } = pod.metadata ?? {};
    const stored = (name: string) => claims.get(`${namespace}/${name}`) as PersistentVolumeClaim | undefined;
    const failed = (volume: string, problem: string): void =>
      events.record(PODS, pod, 'Warning', 'FailedBinding', `ephemeral volume ${volume}: ${problem}`);
    for (const { volume, claim } of missingClaims(pod, stored)) {
      if (typeof claim === 'string') {
        failed(volume, claim);
        return 'requeue';
      }
      try {
        await client.create(CLAIMS, claim);
      } catch (error) {
        if (isNamespaceTerminating(error)) return 'done';
        failed(volume, `create PVC ${claim.metadata?.name}: ${(error as Error).message}`);
        throw error;
      }
    }
    return 'done';
  };

  const queue = workloadQueue(parts, (key) => writes.follow(key, () => reconcile(key)), workers);
  pods.onChange((key, current, previous) => {
    // What a Pod has for volumes never changes; whether it is left alone may.
    const isNew = previous === undefined || !isManaged(previous.metadata());
    if (current !== undefined && isNew && mayNeedClaims(current.peek() as Pod)) queue.add(key);
  });
  claims.onChange((key, current) => {
    if (current === undefined) for (const [pod] of pods.find(PODS_BY_CLAIM, key)) queue.add(pod);
  });
  return { name: parts.name, sources: [pods, claims], queue };
}

const mayNeedClaims = (pod: Pod): boolean =>
  pod.metadata?.deletionTimestamp === undefined && hasEphemeralVolumes(pod) && isManaged(pod.metadata ?? {});
