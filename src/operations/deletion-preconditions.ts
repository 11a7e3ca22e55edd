import type { Preconditions } from '../model/generated/meta-v1.ts';
import { errors } from '../status/index.ts';

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
