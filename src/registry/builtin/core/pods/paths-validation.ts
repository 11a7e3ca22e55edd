import { type FieldError, invalid } from '../../../../status/field-error.ts';

/** No way out of a directory through `..`. */
export const validateNoBacksteps = (path: string, field: string): FieldError[] =>
  path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : [];

/** A relative path that stays below its start. */
export function validateDescendingPath(path: string, field: string): FieldError[] {
  return [
    ...(path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : []),
    ...validateNoBacksteps(path, field),
  ];
}

/** As above, and not one of the names that volumes use for themselves. */
export function validateFilePath(path: string, field: string): FieldError[] {
  // A leading `..` alone is the backstep that is refused already.
  const isReserved = path.startsWith('..') && !path.startsWith('../');
  return [
    ...validateDescendingPath(path, field),
    ...(isReserved ? [invalid(field, path, "must not start with '..'")] : []),
  ];
}
