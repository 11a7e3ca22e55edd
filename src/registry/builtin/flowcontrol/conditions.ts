import { duplicate, type FieldError, required } from '../../../status/field-error.ts';
import { findDuplicates } from '../../validation/duplicates.ts';

/** Validates conditions: each has a type, and types are unique. */
export function validateConditions(conditions: readonly { type?: string }[] = []): FieldError[] {
  const repeated = findDuplicates(conditions, ({ type = '' }) => type);
  return conditions.flatMap(({ type = '' }, index) => {
    const field = `status.conditions[${index}].type`;
    return [
      ...(repeated.has(index) ? [duplicate(field, type)] : []),
      ...(type === '' ? [required(field, 'must not be empty')] : []),
    ];
  });
}
