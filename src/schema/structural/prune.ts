import type { ValueSchema } from './value-schema.ts';

/** Members that every object has, whatever its schema says. */
const OBJECT_MEMBERS = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * A copy of a JSON value without the members that its schema does not know.
 * @param isResource the value is a whole object, so type and metadata belong to it
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
