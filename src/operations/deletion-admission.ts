import type { CacheRecord } from '../cache/record.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { Strategy } from '../registry/strategy.ts';
import { admissionRequest } from './admission.ts';
import type { DeleteOptions } from './delete-options.ts';
import type { OperationContext } from './environment.ts';

/** Whether a deletion changes nothing and is not admitted: another one is under way and is not shortened. */
export function isPending(
  strategy: Strategy,
  object: KubernetesObject,
  { gracePeriodSeconds }: DeleteOptions,
): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds: running } = object.metadata!;
  if (deletionTimestamp === undefined) return false;
  if (strategy.isFinalized?.(object) === false) return true;
  if (strategy.gracePeriodSeconds === undefined || running === undefined || running === 0) return false;
  return gracePeriodSeconds === undefined || gracePeriodSeconds >= running;
}

/**
 * The options that admission sees: with the grace period that the kind gives an object in its first deletion,
 * and with the uid of an object whose kind has a deletion of its own.
 */
export function completeOptions(
  strategy: Strategy,
  object: KubernetesObject,
  { gracePeriodSeconds }: DeleteOptions,
  raw: KubernetesObject | undefined,
): KubernetesObject | undefined {
  if (raw === undefined) return undefined;
  const { uid, deletionTimestamp } = object.metadata!;
  if (strategy.isFinalized !== undefined || strategy.deletionByName?.mark !== undefined)
    return { ...raw, preconditions: { ...(raw as { preconditions?: object }).preconditions, uid } };
  const grace =
    deletionTimestamp === undefined && strategy.gracePeriodSeconds !== undefined
      ? strategy.gracePeriodSeconds(object, gracePeriodSeconds)
      : gracePeriodSeconds;
  return grace === undefined ? raw : { ...raw, gracePeriodSeconds: grace < 0 ? 1 : grace };
}

/** What admission sees of a deletion besides the object. */
export interface AdmittedDeletion {
  readonly name: string;
  readonly options: KubernetesObject | undefined;
}

/** Runs both phases of admission for a stored object. @throws ApiError */
export async function admitDeletion(
  context: OperationContext,
  record: CacheRecord,
  { name, options }: AdmittedDeletion,
): Promise<void> {
  const {
    resource: { row, conversion },
    environment: { admission },
  } = context;
  if (!admission.handles('DELETE', row.group, row.resource, '')) {
    admission.passed?.('DELETE', row.group, row.resource, '');
    return;
  }
  const old = await conversion.load(record, context.request);
  const request = admissionRequest(context, 'DELETE', name, undefined, old, options);
  await admission.admit(request);
  await admission.validate(request);
}
