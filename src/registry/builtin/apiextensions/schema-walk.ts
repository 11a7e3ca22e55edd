import type { JSONSchemaProps } from '../../../model/generated/apiextensions-v1.ts';

/** Schemas below a schema; none are inside themselves, since they come from JSON. */
export const propertiesOf = ({
  properties = {},
}: JSONSchemaProps): [name: string, schema: JSONSchemaProps][] =>
  Object.keys(properties)
    .sort()
    .map((name) => [name, properties[name]!]);

/** The schema of a list's elements, where there is one for all. */
export const elementOf = ({ items }: JSONSchemaProps): JSONSchemaProps | undefined =>
  Array.isArray(items) ? undefined : items;

/** The schema of a map's values. */
export const mapValueOf = ({ additionalProperties }: JSONSchemaProps): JSONSchemaProps | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined;

export const JUNCTORS = ['allOf', 'oneOf', 'anyOf'] as const;

/** Definitions in use stay below a tenth of this; everything that walks a schema may rely on it. */
export const MAXIMUM_DEPTH = 500;

/**
 * The schemas of a tree, level by level; a level beyond the maximum is the last. Not recursive: a body may
 * nest them deep.
 */
export function* schemaLevels(root: JSONSchemaProps): Generator<readonly JSONSchemaProps[]> {
  let level = [root];
  for (let depth = 0; level.length > 0 && depth <= MAXIMUM_DEPTH; depth += 1) {
    yield level;
    const next: JSONSchemaProps[] = [];
    for (const schema of level) addChildren(schema, next);
    level = next;
  }
}

export function isTooDeep(root: JSONSchemaProps): boolean {
  let depth = -1;
  for (const _level of schemaLevels(root)) depth += 1;
  return depth >= MAXIMUM_DEPTH;
}

const SINGLE = ['not', 'items', 'additionalProperties', 'additionalItems', ...JUNCTORS] as const;
const NAMED = ['properties', 'patternProperties', 'definitions', 'dependencies'] as const;

/** Definitions are walked on every write, so nothing is made here but the list. */
function addChildren(schema: JSONSchemaProps, children: JSONSchemaProps[]): void {
  for (const keyword of SINGLE) {
    const child = schema[keyword];
    if (Array.isArray(child)) for (const one of child) children.push(one);
    else if (typeof child === 'object') children.push(child);
  }
  for (const keyword of NAMED) {
    const map = schema[keyword];
    if (map === undefined) continue;
    // Dependencies may be lists of names.
    for (const child of Object.values(map)) if (!Array.isArray(child)) children.push(child);
  }
}
