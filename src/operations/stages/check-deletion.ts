import { errors } from '../../status/index.ts';
import { assertPreconditions } from '../deletion-preconditions.ts';
import type { Deletion } from './deletion.ts';

/**
 * Checks the preconditions of a deletion, and the rules of the kind for deletions by name.
 * Reads: object, record, view.
 * @throws ApiError 409, and the errors of the kind
 */
export function checkDeletion(write: Deletion): void {
  if (write.request.rules?.reportsPreconditionsAsUpdate === true) checkAsUpdate(write);
  else check(write);
  write.request.rules?.check?.(write.object, write.view);
}

function check({ context, record, object, request }: Deletion): void {
  const { row } = context.resource;
  const named = { group: row.storage?.group ?? row.group, resource: row.kind };
  const actual = { uid: object.metadata!.uid, resourceVersion: String(record.revision) };
  assertPreconditions(named, request.name, request.options.preconditions ?? {}, actual);
}

function checkAsUpdate({ context, record, object, request }: Deletion): void {
  const { uid, resourceVersion } = request.options.preconditions ?? {};
  const current = String(record.revision);
  const failed = (what: string, wanted: string, actual: string) =>
    errors.conflict(
      context.resource.row,
      request.name,
      `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${actual}`,
    );
  if (uid !== undefined && uid !== object.metadata!.uid) throw failed('UID', uid, object.metadata!.uid!);
  if (resourceVersion !== undefined && resourceVersion !== current)
    throw failed('ResourceVersion', resourceVersion, current);
}
