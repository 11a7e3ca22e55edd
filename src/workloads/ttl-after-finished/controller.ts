import type { Job } from '../../model/generated/batch-v1.ts';
import { timeToMilliseconds } from '../../model/time.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { JOBS } from '../../reconcile/resources.ts';
import { ignoreSettledErrors } from '../../reconcile/settled-errors.ts';
import { controllerQueue, type WorkQueue, type WorkResult } from '../../reconcile/work-queue.ts';
import { finishedCondition } from '../jobs/job.ts';

/**
 * Deletes finished Jobs `ttlSecondsAfterFinished` after their end, with their Pods.
 * @param workers objects at the same time
 */
export function ttlAfterFinishedController(parts: NamedContext, workers: number): Controller {
  const { clusterClock } = parts;
  const client = parts.client(parts.user);
  const jobs = parts.objects(JOBS);

  const reconcile = async (key: string): Promise<WorkResult> => {
    const known = jobs.get(key) as Job | undefined;
    const expiry = known && expiryOf(known);
    if (expiry === undefined) return 'done';
    if (expiry > clusterClock.now()) {
      queue.addAfter(key, expiry - clusterClock.now());
      return 'done';
    }
    const { namespace = '', name = '' } = known!.metadata ?? {};
    // The time to live may have been changed since.
    const job = (await client.get(JOBS, namespace, name)) as Job | undefined;
    const current = job && expiryOf(job);
    if (current === undefined || current > clusterClock.now()) return 'done';
    const preconditions = { uid: job!.metadata?.uid };
    await ignoreSettledErrors(
      client.delete(JOBS, namespace, name, { propagationPolicy: 'Foreground', preconditions }),
    );
    return 'done';
  };

  const queue: WorkQueue = controllerQueue(parts, parts.name, reconcile, workers);
  jobs.onChange((key, job) => {
    if (job !== undefined) queue.add(key);
  });
  return { name: parts.name, sources: [jobs], queue };
}

/** When a Job is to be deleted, in milliseconds since the epoch; undefined if it is not. */
export function expiryOf(job: Job): number | undefined {
  const { metadata = {}, spec = {} } = job;
  const { lastTransitionTime } = finishedCondition(job) ?? {};
  if (metadata.deletionTimestamp !== undefined || !isManaged(metadata)) return undefined;
  if (spec.ttlSecondsAfterFinished === undefined || !lastTransitionTime) return undefined;
  return timeToMilliseconds(lastTransitionTime) + spec.ttlSecondsAfterFinished * 1000;
}
