import { type FieldError, required } from '../../../../status/field-error.ts';

/** Returns a `Required value` error for each absent or empty member. */
export function requireMembers(source: object | undefined, field: string, ...names: string[]): FieldError[] {
  return names.flatMap((name) => {
    const value = (source as Record<string, unknown> | undefined)?.[name];
    const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    return isEmpty ? [required(`${field}.${name}`)] : [];
  });
}
