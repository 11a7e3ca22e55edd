import type { ValueSchema } from './value-schema.ts';

/** Members of every object that schemas do not specify. */
const OBJECT_MEMBERS = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Returns a copy of a JSON value without unspecified fields.
 * @param isResource the value is a complete object, whose type and metadata are kept
 */
export function prune(
  value: unknown,
  schema: ValueSchema,
  isResource = schema.isEmbeddedResource === true,
): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined)
      return schema.preservesUnknownFields === true ? value : value.map((element) => prune(element, {}));
    return value.map((element) => prune(element, items));
  }
  if (typeof value !== 'object' || value === null) return value;
  const { properties, additionalProperties, preservesUnknownFields } = schema;
  const entries: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const property = properties?.get(name);
    if (isResource && OBJECT_MEMBERS.has(name)) entries.push([name, member]);
    else if (property !== undefined) entries.push([name, prune(member, property)]);
    else if (typeof additionalProperties === 'object')
      entries.push([name, prune(member, additionalProperties)]);
    else if (additionalProperties === true || preservesUnknownFields === true) entries.push([name, member]);
  }
  return Object.fromEntries(entries);
}
