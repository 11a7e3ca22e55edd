import { duplicate, type FieldError, required } from '../../../status/field-error.ts';

/** Conditions of this group: a type each, all different. */
export function validateConditions(conditions: readonly { type?: string }[] = []): FieldError[] {
  return conditions.flatMap(({ type = '' }, index) => {
    const field = `status.conditions[${index}].type`;
    const repeated = conditions.slice(0, index).some((earlier) => (earlier.type ?? '') === type);
    return [...(repeated ? [duplicate(field, type)] : []), ...(type === '' ? [required(field, 'must not be empty')] : [])];
  });
}
