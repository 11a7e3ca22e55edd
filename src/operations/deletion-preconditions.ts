import type { CacheRecord } from '../cache/record.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { DeletionByName } from '../registry/strategy.ts';
import { errors } from '../status/index.ts';
import type { DeleteOptions } from './delete-options.ts';
import type { OperationContext } from './environment.ts';

interface CheckedDeletion {
  readonly name: string;
  readonly options: DeleteOptions;
  readonly rules: DeletionByName | undefined;
}

/** Checks the uid and resourceVersion preconditions. @throws ApiError 409 */
export function checkPreconditions(
  { resource: { row } }: OperationContext,
  record: CacheRecord,
  object: KubernetesObject,
  { name, options: { preconditions }, rules }: CheckedDeletion,
): void {
  const { uid, resourceVersion } = preconditions ?? {};
  const current = String(record.revision);
  if (rules?.reportsPreconditionsAsUpdate === true) {
    const failed = (what: string, wanted: string, actual: string): string =>
      `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${actual}`;
    if (uid !== undefined && uid !== object.metadata!.uid)
      throw errors.conflict(row, name, failed('UID', uid, object.metadata!.uid!));
    if (resourceVersion !== undefined && resourceVersion !== current)
      throw errors.conflict(row, name, failed('ResourceVersion', resourceVersion, current));
    return;
  }
  const named = { group: row.storage?.group ?? row.group, resource: row.kind };
  if (uid !== undefined && uid !== object.metadata!.uid)
    throw errors.conflict(
      named,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${object.metadata!.uid}). The object might have been deleted and then recreated`,
    );
  if (resourceVersion !== undefined && resourceVersion !== current)
    throw errors.conflict(
      named,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${current}). The object might have been modified`,
    );
}
