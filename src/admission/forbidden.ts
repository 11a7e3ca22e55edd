import type { AdmissionRequest } from '../request/admission.ts';
import { ApiError, type StatusCause } from '../status/api-error.ts';
import { errors } from '../status/errors.ts';

/** The 403 of an admission plugin. Objects that get their name from the server are named by their prefix. */
export function admissionForbidden(
  { resource, name, object }: AdmissionRequest,
  text: string,
  causes: readonly StatusCause[] = [],
): ApiError {
  const shown = name || object?.metadata?.name || object?.metadata?.generateName || 'Unknown!';
  const error = errors.forbidden(resource, shown, text);
  return causes.length === 0
    ? error
    : new ApiError(error.code, error.reason, error.message, { ...error.details, causes });
}
