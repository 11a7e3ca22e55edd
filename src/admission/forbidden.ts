import type { AdmissionRequest } from '../request/admission.ts';
import { ApiError, type StatusCause } from '../status/api-error.ts';
import { errors } from '../status/errors.ts';

/** The 403 of an admission plugin. An object without a name is identified by its generateName. */
export function admissionForbidden(
  { resource, name, object }: AdmissionRequest,
  text: string,
  causes: readonly StatusCause[] = [],
): ApiError {
  const displayName = name || object?.metadata?.name || object?.metadata?.generateName || 'Unknown';
  const error = errors.forbidden(resource, displayName, text);
  return causes.length === 0
    ? error
    : new ApiError(error.code, error.reason, error.message, { ...error.details, causes });
}
