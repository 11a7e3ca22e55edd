import type { CacheRecord } from '../../cache/record.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { admissionRequest } from '../admission.ts';
import { isHandled, leaveTurnIfExternal } from './admit.ts';
import type { Deletion } from './deletion.ts';

/**
 * Admits the deletion of the stored object: both phases, since nothing may change between them.
 * Reads: object, record, options. Changes: admitted.
 * @throws ApiError
 */
export async function admitDeletion(write: Deletion): Promise<void> {
  const { record, request } = write;
  leaveTurnIfExternal(write);
  write.admitted = {
    name: request.collected ? '' : request.name,
    options: request.collected ? write.options : completeOptions(write),
  };
  await admitRecord(write, record);
}

/** Admits the deletion of a stored state of the object. Reads: admitted. @throws ApiError */
export async function admitRecord(write: Deletion, record: CacheRecord): Promise<void> {
  if (!isHandled(write)) return;
  const { context, admitted } = write;
  const { admission } = context.environment;
  const old = await context.resource.conversion.load(record, context.request);
  const request = admissionRequest(context, 'DELETE', admitted.name, undefined, old, admitted.options);
  await admission.admit(request);
  await admission.validate(request);
}

/**
 * The options that admission sees: with the grace period that the kind gives an object in its first deletion,
 * and with the uid of an object whose kind has a deletion of its own.
 */
function completeOptions({ context, object, options, request }: Deletion): KubernetesObject | undefined {
  if (options === undefined) return undefined;
  const { deletion } = context.resource.strategy;
  const { gracePeriodSeconds } = request.options;
  const { uid, deletionTimestamp } = object.metadata!;
  if (deletion?.isFinalized !== undefined || deletion?.byName?.mark !== undefined)
    return { ...options, preconditions: { ...(options as { preconditions?: object }).preconditions, uid } };
  const grace =
    deletionTimestamp === undefined && deletion?.gracePeriodSeconds !== undefined
      ? deletion.gracePeriodSeconds(object, gracePeriodSeconds)
      : gracePeriodSeconds;
  return grace === undefined ? options : { ...options, gracePeriodSeconds: grace < 0 ? 1 : grace };
}
