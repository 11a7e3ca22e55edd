import type { JSONSchemaProps } from '../../../model/generated/apiextensions-v1.ts';

/** Schemas below a schema; none are inside themselves, since they come from JSON. */
export const propertiesOf = ({ properties = {} }: JSONSchemaProps): [name: string, schema: JSONSchemaProps][] =>
  Object.keys(properties)
    .sort()
    .map((name) => [name, properties[name]!]);

/** The schema of a list's elements, where there is one for all. */
export const elementOf = ({ items }: JSONSchemaProps): JSONSchemaProps | undefined => (Array.isArray(items) ? undefined : items);

/** The schema of a map's values. */
export const mapValueOf = ({ additionalProperties }: JSONSchemaProps): JSONSchemaProps | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined;

export const JUNCTORS = ['allOf', 'oneOf', 'anyOf'] as const;

/** Definitions in use stay below a tenth of this; everything that walks a schema may rely on it. */
export const MAXIMUM_DEPTH = 500;

/** The schemas of a tree, level by level; a level beyond the maximum is the last. Not recursive: a body may nest them deep. */
export function* schemaLevels(root: JSONSchemaProps): Generator<readonly JSONSchemaProps[]> {
  let level = [root];
  for (let depth = 0; level.length > 0 && depth <= MAXIMUM_DEPTH; depth += 1) {
    yield level;
    level = level.flatMap(childrenOf);
  }
}

export const isTooDeep = (root: JSONSchemaProps): boolean => [...schemaLevels(root)].length > MAXIMUM_DEPTH;

function childrenOf(schema: JSONSchemaProps): JSONSchemaProps[] {
  const { not, items, additionalProperties, additionalItems, properties = {}, patternProperties = {}, definitions = {}, dependencies = {} } = schema;
  const single = [not, additionalProperties, additionalItems].filter((child) => typeof child === 'object');
  const several = [items ?? [], ...JUNCTORS.map((junctor) => schema[junctor] ?? [])].flat();
  const named = [properties, patternProperties, definitions, dependencies]
    .flatMap((map) => Object.values(map))
    .filter((child): child is JSONSchemaProps => !Array.isArray(child));
  return [...single, ...several, ...named];
}
