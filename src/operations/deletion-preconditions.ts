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

interface Preconditions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
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
  assertPreconditions(
    named,
    name,
    { uid, resourceVersion },
    { uid: object.metadata!.uid, resourceVersion: current },
  );
}

/**
 * Compares preconditions with an object; those that are undefined are met.
 * @param kind group and kind of the object, as conflicts name them
 * @throws ApiError 409
 */
export function assertPreconditions(
  kind: { readonly group: string; readonly resource: string },
  name: string,
  { uid, resourceVersion }: Preconditions,
  actual: Preconditions,
): void {
  if (uid !== undefined && uid !== actual.uid)
    throw errors.conflict(
      kind,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${actual.uid}). The object might have been deleted and then recreated`,
    );
  if (resourceVersion !== undefined && resourceVersion !== actual.resourceVersion)
    throw errors.conflict(
      kind,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${actual.resourceVersion}). The object might have been modified`,
    );
}
