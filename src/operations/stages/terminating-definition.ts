import type { Life } from '../../model/life.ts';
import { errors } from '../../status/index.ts';
import type { Creation } from './creation.ts';

/** The releases that refuse creations of a resource whose definition is being deleted in admission. */
export const REFUSES_IN_ADMISSION: Life = { since: '1.34' };

export const DEFINITION_IS_TERMINATING = 'create not allowed while custom resource definition is terminating';

/**
 * Refuses the creation of a custom resource whose definition is being deleted, in place of mutating admission.
 * @throws ApiError 403
 */
export function refuseOfTerminating({ context, name }: Creation): void {
  const { row } = context.resource;
  if (!row.verbs.includes('create') && context.request.scheme.has(REFUSES_IN_ADMISSION))
    throw errors.forbidden(row, name, DEFINITION_IS_TERMINATING);
}
