import type { JSONSchemaProps } from '../../model/generated/apiextensions-v1.ts';
import type { FieldError } from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';

/** Returns the properties of a schema. Schemas come from JSON, so they contain no cycles. */
export const propertiesOf = ({
  properties = {},
}: JSONSchemaProps): [name: string, schema: JSONSchemaProps][] =>
  Object.keys(properties)
    .sort()
    .map((name) => [name, properties[name]!]);

const NO_PROPERTIES = {};

/**
 * Checks the properties of a schema in the order of their names; validation can pause between them.
 * @param place identifies the check
 */
export const checkProperties = (
  { properties = NO_PROPERTIES }: JSONSchemaProps,
  place: string,
  check: (property: JSONSchemaProps, name: string) => readonly FieldError[],
): FieldError[] =>
  checkEach(properties, { place, cost: 0, items: () => propertiesOf({ properties }) }, ([name, property]) =>
    check(property, name),
  );

/** Returns the schema of list elements, if one schema applies to all. */
export const elementOf = ({ items }: JSONSchemaProps): JSONSchemaProps | undefined =>
  Array.isArray(items) ? undefined : items;

/** Returns the schema of map values. */
export const mapValueOf = ({ additionalProperties }: JSONSchemaProps): JSONSchemaProps | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined;

export const JUNCTORS = ['allOf', 'oneOf', 'anyOf'] as const;

/**
 * Maximum depth of a schema. Real definitions have less than a tenth of it; functions that walk a schema rely
 * on this bound.
 */
export const MAXIMUM_DEPTH = 500;

/**
 * Yields the schemas of a tree by level, up to one level beyond the maximum. Not recursive: request bodies
 * can nest schemas deeply.
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

/** The keywords with inner schemas: one or a list, or a map of them. */
const INNER: ReadonlyMap<string, 'single' | 'named'> = new Map([
  ...['not', 'items', 'additionalProperties', 'additionalItems', ...JUNCTORS].map(
    (keyword) => [keyword, 'single'] as const,
  ),
  ...['properties', 'patternProperties', 'definitions', 'dependencies'].map(
    (keyword) => [keyword, 'named'] as const,
  ),
]);

/** Adds the inner schemas of a schema to a list. Reads only the keywords that the schema has: a hot path. */
export function addChildren(schema: JSONSchemaProps, children: JSONSchemaProps[]): void {
  for (const keyword in schema) {
    const form = INNER.get(keyword);
    if (form === undefined) continue;
    const inner = schema[keyword as keyof JSONSchemaProps] as unknown;
    if (typeof inner !== 'object' || inner === null) continue;
    if (form === 'named') {
      // Dependencies can be lists of names, or null.
      for (const child of Object.values(inner) as (JSONSchemaProps | readonly string[] | null)[])
        if (child !== null && !Array.isArray(child)) children.push(child as JSONSchemaProps);
    } else if (Array.isArray(inner)) for (const one of inner) children.push(one);
    else children.push(inner);
  }
}
