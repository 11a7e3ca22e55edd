import { type FieldError, invalid } from '../../../status/field-error.ts';

const BACKSTEP = /(?:^|\/)\.\.(?:\/|$)/;

/** Rejects a path with a `..` segment. */
export const validateNoBacksteps = (path: string, field: string): FieldError[] =>
  BACKSTEP.test(path) ? [invalid(field, path, "must not contain '..'")] : [];

/** Validates a relative path without `..` segments. */
export function validateDescendingPath(path: string, field: string): FieldError[] {
  return [
    ...(path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : []),
    ...validateNoBacksteps(path, field),
  ];
}

/** Validates a descending path that does not start with `..`, which volumes reserve. */
export function validateFilePath(path: string, field: string): FieldError[] {
  // A leading `../../../registry/builtin/core` is already reported as a backstep.
  const isReserved = path.startsWith('..') && !path.startsWith('../');
  return [
    ...validateDescendingPath(path, field),
    ...(isReserved ? [invalid(field, path, "must not start with '..'")] : []),
  ];
}
