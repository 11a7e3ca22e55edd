import { duplicateFormatted, type FieldError } from '../../status/field-error.ts';
import { jsonText } from './json.ts';
import type { ValueSchema } from './value-schema.ts';

/**
 * Validates list types: sets have unique elements, maps have elements with unique keys. Ignores values that
 * do not match the schema.
 */
export function validateLists(value: unknown, schema: ValueSchema, field: string): FieldError[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    return [
      ...validateList(value, schema, field),
      ...(items === undefined
        ? []
        : value.flatMap((element, index) => validateLists(element, items, `${field}[${index}]`))),
    ];
  }
  if (typeof value !== 'object' || value === null) return [];
  const { properties, additionalProperties } = schema;
  return Object.entries(value).flatMap(([name, member]) => {
    const inner =
      properties?.get(name) ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    if (inner === undefined) return [];
    return validateLists(
      member,
      inner,
      properties?.has(name) === true ? `${field}.${name}` : `${field}[${name}]`,
    );
  });
}

function validateList(
  list: readonly unknown[],
  { listType, listMapKeys = [] }: ValueSchema,
  field: string,
): FieldError[] {
  if (listType !== 'set' && listType !== 'map') return [];
  const seen = new Set<string>();
  return list.flatMap((element, index) => {
    const identity = listType === 'set' ? element : keysOf(element, listMapKeys);
    const text = jsonText(identity, true);
    if (!seen.has(text)) {
      seen.add(text);
      return [];
    }
    return [duplicateFormatted(`${field}[${index}]`, jsonText(identity))];
  });
}

function keysOf(element: unknown, keys: readonly string[]): Record<string, unknown> {
  const members = (typeof element === 'object' && element !== null ? element : {}) as Record<string, unknown>;
  const identity = Object.create(null) as Record<string, unknown>;
  for (const key of keys) if (Object.hasOwn(members, key)) identity[key] = members[key];
  return identity;
}
