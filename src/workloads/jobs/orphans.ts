import type { Job } from '../../model/generated/batch-v1.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import type { Client } from '../../reconcile/client.ts';
import { controllerOf } from '../../reconcile/indexes.ts';
import { PODS } from '../../reconcile/resources.ts';
import { ApiError } from '../../status/index.ts';
import { isJobFinished, isManagedElsewhere, TRACKING_FINALIZER } from './job.ts';
import { isTracked } from './pods.ts';

/** Keys of Pods in the queue of Jobs, whose own keys have two parts. */
const ORPHAN = 'pods/';

export const orphanKey = (podKey: string): string => ORPHAN + podKey;

/** The key of the Pod in a key of the queue; undefined in that of a Job. */
export const podKeyOf = (key: string): string | undefined =>
  key.startsWith(ORPHAN) && key.indexOf('/', ORPHAN.length) > 0 ? key.slice(ORPHAN.length) : undefined;

/**
 * Whether no Job counts the end of a tracked Pod any more: its Job has gone or has ended. The Pods of other controllers
 * are theirs, also with the finalizer.
 */
export function isOrphan(pod: Pod, jobs: Pick<IndexedSource, 'get'>): boolean {
  if (!isTracked(pod)) return false;
  const { namespace = '' } = pod.metadata ?? {};
  const reference = controllerOf(pod.metadata ?? {});
  if (reference === undefined) return true;
  if (reference.kind !== 'Job' || reference.apiVersion !== 'batch/v1') return false;
  const job = jobs.get(`${namespace}/${reference.name}`) as Job | undefined;
  if (job === undefined || job.metadata?.uid !== reference.uid) return true;
  return isJobFinished(job) && !isManagedElsewhere(job);
}

/** Takes the finalizer from a Pod. One that has gone, or has been replaced, needs nothing. @throws ApiError */
export async function releasePod(client: Pick<Client, 'patch'>, { metadata = {} }: Pod): Promise<void> {
  const { namespace = '', name = '', uid } = metadata;
  if (metadata.finalizers?.includes(TRACKING_FINALIZER) !== true) return;
  const change = { metadata: { uid, '$deleteFromPrimitiveList/finalizers': [TRACKING_FINALIZER] } };
  try {
    await client.patch(PODS, namespace, name, change, { isStrategic: true });
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 404 || error.code === 409))) throw error;
  }
}
